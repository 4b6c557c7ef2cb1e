import type { Queryable } from '#core'
import type { PublicOrder } from '#plugins/export'
import { listRelatedNumbers } from '../repository/related.ts'

/** A post as another's page shows it: its revision changes with its title. */
interface ShownPost {
  post_no: number
  revision: number
}

/** What the page of a post shows of others, as a text. `related`: best first. */
export function besideText(previous: ShownPost | null, next: ShownPost | null, related: readonly ShownPost[]): string {
  return joined(versionOf(previous), versionOf(next), related.map(versionOf))
}

const nobody = '/'
const versionOf = (post: ShownPost | null): string => (post === null ? nobody : `${post.post_no}:${post.revision}`)
const joined = (previous: string, next: string, related: readonly string[]): string =>
  related.length === 0 ? `${previous} ${next}` : `${previous} ${next} ${related.join(' ')}`

/** The same text for each public post, by its number. */
export async function readShownBeside(
  db: Queryable,
  { post_nos, versions }: PublicOrder
): Promise<(post_no: number) => string> {
  const places = new Map<number, number>()
  post_nos.forEach((post_no, at) => void places.set(post_no, at))
  const related = await listRelatedNumbers(db)
  return post_no => {
    const at = places.get(post_no)
    if (at === undefined) return ''
    const others = related.get(post_no)?.split(' ') ?? []
    const shown = others.flatMap(other => versions[places.get(Number(other)) ?? -1] ?? [])
    return joined(versions[at + 1] ?? nobody, versions[at - 1] ?? nobody, shown)
  }
}
