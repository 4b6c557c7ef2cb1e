import type { Db } from '#core'
import type { Posts } from '#plugins/posts'
import type { ConvertedPost } from './convert-posts.ts'
import type { ImportReporter } from './report.ts'
import { listRedirected } from './repository.ts'
import { formerPathsOf } from './store-batch.ts'

interface DryRunDeps {
  db: Db
  posts: Pick<Posts, 'imports'>
}

/** Reports posts as the real run would, by what is stored here and by what came before them in this run. */
export function createDryRun({ db, posts }: DryRunDeps) {
  const slugs = new Set<string>()
  const paths = new Set<string>()
  return async (converted: readonly ConvertedPost[], { countImported, note }: ImportReporter): Promise<void> => {
    const plain = converted.map(({ post }) => posts.imports.slugOf(post))
    const taken = await posts.imports.listTaken(db, plain)
    const redirected = await listRedirected(
      db,
      converted.flatMap(({ source }) => [...formerPathsOf(source)])
    )
    for (const [index, each] of converted.entries()) {
      const slug = plain[index] ?? ''
      const isTaken = slug === '' || taken.has(slug) || slugs.has(slug)
      slugs.add(slug)
      const fresh = [...formerPathsOf(each.source)].filter(path => !paths.has(path) && !redirected.has(path))
      for (const path of fresh) paths.add(path)
      countImported(each, { slug: isTaken ? null : slug, redirects: fresh.length })
      if (isTaken) note({ kind: 'changed', name: each.source.name, slug: null, note: reasonOf(slug) })
    }
  }
}

const reasonOf = (slug: string): string =>
  slug === '' ? 'its slug cannot be used: it gets a random one' : `its slug ${slug} is taken: it gets a random suffix`
