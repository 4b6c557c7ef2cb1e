import type { Db, FormerAddresses, Installation } from '#core'
import type { Posts } from '#plugins/posts'
import { askedPaths, formerPath } from './former-path.ts'
import { findRedirect } from './repository.ts'

/** The addresses that imported posts had before. */
export const createFormerAddresses = ({
  db,
  installation,
  publicUrl
}: {
  db: Db
  installation: Pick<Installation, 'baseUrl'>
  publicUrl: Posts['publicUrl']
}): FormerAddresses => ({
  async find(address) {
    const site = new URL(installation.baseUrl())
    const basePath = site.pathname.replace(/\/$/, '')
    const paths = askedPaths(address, basePath)
    const slug = paths.length === 0 ? undefined : await findRedirect(db, paths)
    if (slug === undefined) return null
    const target = publicUrl(slug)
    // Where the web server of a site asks for what it does not have yet.
    const isAsked = new URL(target).host === site.host && paths.includes(formerPath(target) ?? '')
    return isAsked ? null : target
  }
})
