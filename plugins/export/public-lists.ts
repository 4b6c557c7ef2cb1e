import type { Queryable } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import type { PublicLabels, PublicLists } from './index.ts'
import { listCounts, listPeriods } from './repository/shown.ts'

/** The lists as the run knows them. The lists of a run share the labels. */
export function createPublicLists(published: PublishedPosts, db: Queryable): PublicLists {
  let labels: Promise<PublicLabels> | undefined
  return {
    labels() {
      labels ??= readLabels(published, db)
      return labels
    },
    periods: () => listPeriods(db)
  }
}

async function readLabels(published: PublishedPosts, db: Queryable): Promise<PublicLabels> {
  const [counted, tags] = await Promise.all([listCounts(db, 'categories'), listCounts(db, 'tags')])
  const found = await published.categoriesOf(
    db,
    counted.map(({ slug }) => slug)
  )
  const categories = new Map(found.map(category => [category.slug, category]))
  return {
    categories: counted.flatMap(({ slug, post_count }) => {
      const category = categories.get(slug)
      return category === undefined ? [] : [{ ...category, post_count }]
    }),
    tags: tags.map(({ slug, name, post_count }) => ({ slug, name: name ?? slug, post_count }))
  }
}
