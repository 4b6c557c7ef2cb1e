import type { SurfaceBeside } from '#plugins/export'
import { listBesideVersions, listShowing, type PostVersion } from '../repository/shown-beside.ts'

/** What the page of a post shows of others, as a text. `related`: best first. */
export function besideText(
  previous: PostVersion | null,
  next: PostVersion | null,
  related: readonly PostVersion[]
): string {
  return joined(versionOf(previous), versionOf(next), related.map(versionOf))
}

const nobody = '/'
const versionOf = (post: PostVersion | null): string => (post === null ? nobody : `${post.post_no}:${post.revision}`)
const joined = (previous: string, next: string, related: readonly string[]): string =>
  related.length === 0 ? `${previous} ${next}` : `${previous} ${next} ${related.join(' ')}`

/** The same texts for public posts, by number. */
export const shownBeside: SurfaceBeside = {
  async of(db, post_nos) {
    const rows = await listBesideVersions(db, post_nos)
    return new Map(
      rows.map(({ post_no, previous, next, related }) => {
        const others = [previous, next, ...related].flatMap(other => other?.post_no ?? [])
        return [post_no, { text: besideText(previous, next, related), post_nos: others }]
      })
    )
  },
  showing: listShowing
}
