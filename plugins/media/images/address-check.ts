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
    const former: string[] = []
    // The same bytes may be stored by another service, too. Its pictures have other names here.
    for (const { address, filename } of await posts.strayPictures(db))
      if (await images.isStored(filename)) former.push(address)
    if (former.length === 0) return ok('posts name the stored pictures at the address of this service')
    const named = former.join(', ')
    return degraded(
      `Posts name pictures that are stored here at another address: ${named}. Readers get them only while that answers.`,
      `If it is a former address of this service, list it: galley settings set former_public_urls "${named}". Else set public_url.`
    )
  }
})
