import type { Db, FormerAddresses, Installation } from '#core'
import type { Posts } from '#plugins/posts'
import { askedPaths } from './former-path.ts'
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
    const paths = askedPaths(address, new URL(installation.baseUrl()).pathname.replace(/\/$/, ''))
    const slug = paths.length === 0 ? undefined : await findRedirect(db, paths)
    return slug === undefined ? null : publicUrl(slug)
  }
})
