import { type Check, type Db, degraded, ok } from '#core'
import type { Posts } from '#plugins/posts'
import type { Images } from './images.ts'

interface AddressCheckDeps {
  db: Db
  posts: Pick<Posts, 'strayPictures'>
  images: Pick<Images, 'isStored'>
}

/** Whether public posts name pictures that are stored here at another address: readers get them only while that answers. */
export const pictureAddressCheck = ({ db, posts, images }: AddressCheckDeps): Check => ({
  name: 'picture addresses',
  async run() {
    const { former, strays } = await posts.strayPictures(db)
    const found: string[] = []
    // The same bytes may be stored by another service, too. Its pictures have other names here.
    for (const { address, filenames } of strays) if (await isAnyStored(images, filenames)) found.push(address)
    if (found.length === 0) return ok('posts name the stored pictures at the address of this service')
    const list = [...former, ...found].join(', ')
    return degraded(
      `Posts name pictures that are stored here at another address: ${found.join(', ')}. Readers get them only while that answers.`,
      `If it is a former address of this service, list it: galley settings set former_public_urls "${list}". Else set public_url.`
    )
  }
})

async function isAnyStored({ isStored }: AddressCheckDeps['images'], filenames: readonly string[]): Promise<boolean> {
  for (const filename of filenames) if (await isStored(filename)) return true
  return false
}
