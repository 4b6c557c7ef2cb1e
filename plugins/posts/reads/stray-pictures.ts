import type { Queryable } from '#core'
import { listPictureAddresses, type NamedPictures } from '../repository/media.ts'
import type { Links } from './links.ts'

/** Pictures that public posts name at addresses which are not known to be of this service. */
export interface StrayPictures {
  /** The addresses that `former_public_urls` lists. */
  former: readonly string[]
  strays: readonly NamedPictures[]
}

export async function strayPictures(
  db: Queryable,
  links: Pick<Links, 'base' | 'withPictures' | 'formerAddresses'>
): Promise<StrayPictures> {
  const isFound = (address: string) => {
    // An address that is part of another one, such as that of an archive, leads to something else.
    if (address.lastIndexOf('://') > 'https'.length) return false
    const url = `${address}/images/generated/${'0'.repeat(64)}.png`
    return address !== links.base() && links.withPictures(url) === url
  }
  const named = await listPictureAddresses(db)
  return { former: links.formerAddresses(), strays: named.filter(({ address }) => isFound(address)) }
}
