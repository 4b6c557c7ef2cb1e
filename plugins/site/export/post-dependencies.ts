import { hash } from 'node:crypto'
import type { Queryable } from '#core'
import type { PublicLabels, PublicLists, SurfaceDependencies } from '#plugins/export'
import type { PublishedPosts } from '#plugins/posts'
import { listDependents, listNeighbourVersions, type PostVersion } from '../repository/neighbours.ts'

/** The name and description of a category. */
type CategoryText = Awaited<ReturnType<PublishedPosts['categoriesOf']>>[number]

/** What the page of a post shows of other posts and of its category. `related`: best first. */
interface ShownNeighbours {
  previous: PostVersion | null
  next: PostVersion | null
  related: readonly PostVersion[]
  category: CategoryText | null
}

/** The same as a text. */
export function dependencyText({ previous, next, related, category }: ShownNeighbours): string {
  const parts = [versionOf(previous), versionOf(next), ...related.map(versionOf)]
  return (category === null ? parts : [...parts, `c:${hashOf(category)}`]).join(' ')
}

const nobody = '/'
const versionOf = (post: PostVersion | null): string => (post === null ? nobody : `${post.post_no}:${post.revision}`)
const hashOf = ({ name, description }: CategoryText): string => hash('md5', `${name}\n${description}`).slice(0, 12)

/** The categories of these posts, by slug. */
async function categoriesOf(
  { categoriesOf }: Pick<PublishedPosts, 'categoriesOf'>,
  db: Queryable,
  posts: readonly { category: string | null }[]
): Promise<Map<string, CategoryText>> {
  const slugs = [...new Set(posts.flatMap(({ category }) => category ?? []))]
  const found = slugs.length === 0 ? [] : await categoriesOf(db, slugs)
  return new Map(found.map(category => [category.slug, category]))
}

const known = new WeakMap<PublicLabels, ReadonlyMap<string, CategoryText>>()

/** The same as the lists have them, which were read when the step of the run began. Those that came later are read now. */
export async function categoriesIn(
  lists: Pick<PublicLists, 'labels'>,
  published: Pick<PublishedPosts, 'categoriesOf'>,
  { db, posts }: { db: Queryable; posts: readonly { category: string | null }[] }
): Promise<ReadonlyMap<string, CategoryText>> {
  const labels = await lists.labels()
  const found = known.get(labels) ?? new Map(labels.categories.map(category => [category.slug, category]))
  known.set(labels, found)
  const missing = posts.filter(({ category }) => category !== null && !found.has(category))
  return missing.length === 0 ? found : new Map([...found, ...(await categoriesOf(published, db, missing))])
}

/** The same texts for public posts, by number. */
export const createPostDependencies = (published: PublishedPosts): SurfaceDependencies => ({
  async of(db, post_nos) {
    const rows = await listNeighbourVersions(db, post_nos)
    const categories = await categoriesOf(published, db, rows)
    return new Map(
      rows.map(({ post_no, category, ...shown }) => {
        const { previous, next, related } = shown
        const others = [previous, next, ...related].flatMap(other => other?.post_no ?? [])
        const text = dependencyText({ ...shown, category: categories.get(category ?? '') ?? null })
        return [post_no, { text, post_nos: others }]
      })
    )
  },
  dependents: listDependents
})
