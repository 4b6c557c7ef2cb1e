import type { Queryable } from '#core'
import { notIndexed, notPublished } from '../inverted-index/post-table.ts'
import { readEntries } from '../repository/index-state.ts'
import type { Segment } from '../repository/segments.ts'
import type { MisplacedPost } from '../repository/verification.ts'

/** A set of the numbers of posts, with a bit for each. */
interface PostSet {
  add(postNo: number): void
  has(postNo: number): boolean
}

export function createPostSet(): PostSet {
  let bits = new Uint8Array(1024)
  return {
    add(postNo) {
      const at = postNo >>> 3
      if (at >= bits.length) {
        const larger = new Uint8Array(Math.max(2 * bits.length, at + 1))
        larger.set(bits)
        bits = larger
      }
      bits[at] = (bits[at] ?? 0) | (1 << (postNo & 7))
    },
    has: postNo => ((bits[postNo >>> 3] ?? 0) & (1 << (postNo & 7))) !== 0
  }
}

/** A segment that was read whole, with the posts that stand in it. */
export interface ReadSegment {
  segment: Pick<Segment, 'first_generation' | 'last_generation'>
  posts: PostSet
}

const postsPerPage = 50_000

/** Published posts that do not stand in the segment their entry names: no search finds them. A post without words stands in none. */
export async function listMisplaced(db: Queryable, segments: readonly ReadSegment[]): Promise<MisplacedPost[]> {
  const misplaced: MisplacedPost[] = []
  const first = await readEntries(db, -1, postsPerPage)
  for (let page = first; page.last !== null; page = await readEntries(db, page.last, postsPerPage)) {
    const { postNos, publishedSeconds, generations, lengthCodes } = page.posts
    for (let at = 0; at < postNos.length; at++) {
      const generation = generations[at] ?? notIndexed
      if (generation === notIndexed || publishedSeconds[at] === notPublished || lengthCodes[at] === 0) continue
      const read = segments.find(
        ({ segment }) => segment.first_generation <= generation && generation <= segment.last_generation
      )
      const post_no = postNos[at] ?? 0
      if (read !== undefined && !read.posts.has(post_no)) misplaced.push({ post_no, generation })
    }
  }
  return misplaced
}
