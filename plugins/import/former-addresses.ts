import type { Db, FormerAddresses } from '#core'
import type { Posts } from '#plugins/posts'
import { formerPath } from './former-path.ts'
import { findRedirect } from './repository.ts'

/** The addresses that imported posts had before. */
export const createFormerAddresses = ({
  db,
  publicUrl
}: {
  db: Db
  publicUrl: Posts['publicUrl']
}): FormerAddresses => ({
  async find(path) {
    const former = formerPath(path)
    const slug = former === null ? undefined : await findRedirect(db, former)
    return slug === undefined ? null : publicUrl(slug)
  }
})
