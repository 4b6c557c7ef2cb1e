import { type Changes, createCache, type Db } from '#core'
import type { PublishedPosts } from '#plugins/posts'
import { languageOfTag, type TextLanguage } from '#text'
import type { EngineFilter } from './driver.ts'
import { notIndexed, notPublished, type PostTable } from './inverted-index/post-table.ts'
import { countFacets, type FacetRow, type LabelFilter, readFiltered } from './repository/filters.ts'
import { indexTags } from './snapshot/index-state.ts'

/** What posts are chosen by beside their words. `from` and `to` are times of publication: from the first, before the second. */
export interface SearchFilter extends LabelFilter {
  from?: Date | undefined
  to?: Date | undefined
}

/** What a search with a filter reads: the table without the posts that do not pass. */
interface FilteredIndex {
  table: PostTable
  /** The language that the query is read in; undefined: all that posts are indexed in. */
  language: TextLanguage | undefined
}

export interface SearchFilters {
  apply(table: PostTable, filter: SearchFilter): Promise<FilteredIndex>
  /** The same for an engine beside the database. */
  engineFilter(filter: SearchFilter): Omit<EngineFilter, 'until'>
  /** How many of the posts have each category, tag, language and year. */
  facetsOf(post_nos: readonly number[]): Promise<FacetRow[]>
}

interface FiltersDeps {
  db: Db
  changes: Changes
  published: Pick<PublishedPosts, 'site'>
}

const maxCachedBytes = 16_000_000
/** Values of one facet in an answer. */
const maxFacetValues = 20

export function createFilters({ db, changes, published }: FiltersDeps): SearchFilters {
  const cache = createCache<Buffer>({
    changes,
    tags: indexTags,
    maxBytes: () => maxCachedBytes,
    bytesOf: each => each.length
  })
  const siteLanguage = () => published.site().language
  const passing = (filter: LabelFilter) => {
    const { category, tag } = filter
    const language = filter.language === undefined ? undefined : primaryTag(filter.language)
    if (category === undefined && tag === undefined && language === undefined) return undefined
    const key = JSON.stringify([category, tag, language, siteLanguage()])
    return cache.load(key, () => readFiltered(db, { category, tag, language }, siteLanguage()))
  }
  return {
    async apply(table, filter) {
      const language = filter.language === undefined ? undefined : languageOfTag(filter.language)
      const passed = await passing(filter)
      return { table: restrict(table, passed, { from: secondsOf(filter.from), to: secondsOf(filter.to) }), language }
    },
    engineFilter({ category, tag, language, from, to }) {
      const isOfSite = language !== undefined && primaryTag(language) === primaryTag(siteLanguage())
      return {
        category,
        tag,
        from: secondsOf(from),
        before: secondsOf(to),
        language: language === undefined ? undefined : { tag: primaryTag(language), isOfSite }
      }
    },
    facetsOf: post_nos => countFacets(db, post_nos, { siteLanguage: siteLanguage(), limit: maxFacetValues })
  }
}

/** Of `de-AT`, `de`. */
const primaryTag = (tag: string) => tag.split('-', 1)[0]?.toLowerCase() ?? ''

const epoch = Date.UTC(2000, 0, 1)
const secondsOf = (time: Date | undefined) =>
  time === undefined ? undefined : Math.ceil((time.getTime() - epoch) / 1000)

interface PeriodBounds {
  from: number | undefined
  to: number | undefined
}

/** Posts that do not pass count as not published. */
function restrict(table: PostTable, passed: Buffer | undefined, { from, to }: PeriodBounds): PostTable {
  const passing = passed === undefined ? copyOf(table) : onlyThose(table, passed)
  if (from === undefined && to === undefined) return { ...table, ...passing }
  const { publishedSeconds, liveGenerations } = passing
  for (let postNo = 0; postNo < publishedSeconds.length; postNo++) {
    const seconds = publishedSeconds[postNo] ?? notPublished
    if (seconds >= (from ?? notPublished) && (to === undefined || seconds < to)) continue
    publishedSeconds[postNo] = notPublished
    liveGenerations[postNo] = notIndexed
  }
  return { ...table, ...passing }
}

type Publication = Pick<PostTable, 'publishedSeconds' | 'liveGenerations'>

const copyOf = ({ publishedSeconds, liveGenerations }: Publication): Publication => ({
  publishedSeconds: publishedSeconds.slice(),
  liveGenerations: liveGenerations.slice()
})

function onlyThose({ publishedSeconds, liveGenerations }: Publication, passed: Buffer): Publication {
  const some = {
    publishedSeconds: new Int32Array(publishedSeconds.length).fill(notPublished),
    liveGenerations: new Int32Array(publishedSeconds.length).fill(notIndexed)
  }
  for (let at = 0; at < passed.length; at += 4) {
    const postNo = passed.readInt32BE(at)
    if (postNo >= publishedSeconds.length) continue
    some.publishedSeconds[postNo] = publishedSeconds[postNo] ?? notPublished
    some.liveGenerations[postNo] = liveGenerations[postNo] ?? notIndexed
  }
  return some
}
