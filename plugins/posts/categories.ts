import { type Changes, type Db, type Emit, type FieldErrors, InputError, slugPattern } from '#core'
import { oneLine } from '#text/excerpts'
import { postsCacheTag } from './cache-tags.ts'
import { CategoryDescribed } from './index.ts'
import { type CategoryRow, describeCategory, findAnyCategory, listAllCategories } from './repository/catalogue.ts'
import { maxSlugLength } from './slug.ts'

/** The categories as operators manage them. Posts make the others, with a name made from their slug. */
export interface Categories {
  /** All of them, those without a public post too; at most 1,000. */
  list(): Promise<CategoryRow[]>
  /** One of them; undefined when there is none with the slug. */
  find(slug: string): Promise<CategoryRow | undefined>
  /** Names and describes one, which is made where there is none with the slug. @throws InputError for a slug that is none */
  describe(slug: string, about: { name: string; description?: string | undefined }): Promise<CategoryRow>
}

/** What is wrong with a category's slug. */
export const categorySlugFaults = (slug: string): FieldErrors =>
  slug.length <= maxSlugLength && new RegExp(slugPattern).test(slug)
    ? {}
    : { slug: `is not a slug: lower-case letters and digits in words joined by -, at most ${maxSlugLength} characters` }

export function createCategories({ db, changes, emit }: { db: Db; changes: Changes; emit: Emit }): Categories {
  return {
    list: () => listAllCategories(db),
    find: slug => findAnyCategory(db, slug),
    async describe(slug, { name, description }) {
      const faults = categorySlugFaults(slug)
      if (Object.keys(faults).length > 0) throw new InputError(faults)
      await db.transaction(async tx => {
        await describeCategory(tx, { slug, name: oneLine(name), description: description?.trim() })
        await changes.touch(tx, postsCacheTag)
        await emit(tx, CategoryDescribed, { slug })
      })
      const found = await findAnyCategory(db, slug)
      return found ?? { slug, name, description: description ?? '', post_count: 0 }
    }
  }
}
