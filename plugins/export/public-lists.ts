import type { Queryable } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import type { PublicLabels, PublicLists } from './index.ts'
import { type CountedList, listLists, listPeriods } from './repository/shown.ts'

/** The lists, as of their first reading in a step. They and their labels are read once. */
export function createPublicLists(published: PublishedPosts, db: Queryable): PublicLists {
  let lists: Promise<CountedList[]> | undefined
  let labels: Promise<PublicLabels> | undefined
  const all = () => {
    lists ??= listLists(db)
    return lists
  }
  return {
    all,
    labels() {
      labels ??= all().then(found => readLabels(published, db, found))
      return labels
    },
    periods: some => listPeriods(db, some)
  }
}

async function readLabels(
  published: PublishedPosts,
  db: Queryable,
  lists: readonly CountedList[]
): Promise<PublicLabels> {
  const counted = lists.filter(each => each.kind === 'categories')
  const tags = lists.filter(each => each.kind === 'tags')
  const found = await published.categoriesOf(
    db,
    counted.map(({ slug }) => slug)
  )
  const categories = new Map(found.map(category => [category.slug, category]))
  return {
    categories: counted.flatMap(({ slug, posts }) => {
      const category = categories.get(slug)
      return category === undefined ? [] : [{ ...category, post_count: posts }]
    }),
    tags: tags.map(({ slug, name, posts }) => ({ slug, name: name ?? slug, post_count: posts }))
  }
}
