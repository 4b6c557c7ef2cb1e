import type { WordpressItem } from './item.ts'

/** More are not remembered. */
const maxPictures = 500_000

const imageFile = /\.(?:jpe?g|png|gif|webp|avif)$/i

/** Addresses of the pictures of an export, by their own numbers and by the posts they belong to. */
export function createPictureList() {
  const urls = new Map<string, string>()
  const byPost = new Map<string, string[]>()
  return {
    add({ texts }: WordpressItem): void {
      const { 'wp:post_id': id, 'wp:attachment_url': url, 'wp:post_parent': post = '0' } = texts
      if (id === undefined || url === undefined || urls.size >= maxPictures) return
      urls.set(id, url)
      if (post === '0' || !imageFile.test(url)) return
      const others = byPost.get(post)
      if (others === undefined) byPost.set(post, [url])
      else others.push(url)
    },
    /** By name: a number, or `of-` and the number of the post. */
    named(names: ReadonlySet<string>): Record<string, string[]> {
      const urlsOf = (name: string) =>
        name.startsWith('of-') ? (byPost.get(name.slice('of-'.length)) ?? []) : [urls.get(name) ?? []].flat()
      return Object.fromEntries([...names].map(name => [name, urlsOf(name)]))
    }
  }
}
