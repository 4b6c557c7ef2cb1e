import type { Queryable } from '#core'
import { listPictureAddresses, type NamedPicture } from '../repository/media.ts'
import type { Links } from './links.ts'

/** One picture for each address that public posts name stored pictures at, and that is not known to be one of this service. */
export async function strayPictures(
  db: Queryable,
  links: Pick<Links, 'base' | 'withPictures'>
): Promise<NamedPicture[]> {
  const named = await listPictureAddresses(db)
  return named.filter(({ address, filename }) => {
    const url = `${address}/images/generated/${filename}`
    return address !== links.base() && links.withPictures(url) === url
  })
}
