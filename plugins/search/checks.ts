import { type Check, critical, degraded, type Finding, ok, skipped } from '#core'
import { pluralized } from '#text/plural'
import type { SearchComponents } from './components.ts'
import type { EngineIndexStatus } from './engine/status.ts'
import { type IndexInspection, inspectIndex } from './indexing/inspection.ts'
import { maxRecent } from './inverted-index/post-table.ts'
import { hasTrigrams } from './repository/vocabulary.ts'
import type { IndexStatus } from './status.ts'

/** What `galley doctor` asks of the search index. */
export const searchChecks = ({ db, status }: Pick<SearchComponents, 'db' | 'status'>): Check[] => [
  {
    name: 'search index',
    async run({ isUnattended }) {
      const found = await status()
      if ('engine' in found) return engineFinding(found)
      // To count rows and to compare posts takes long with many of them.
      const inspected = isUnattended ? undefined : await inspectIndex(db)
      return (
        builtinFinding(found) ??
        (inspected && inspectionFinding(searchedIn(found), inspected)) ??
        spellingFinding(searchedIn(found), await hasTrigrams(db))
      )
    }
  }
]

const searchedIn = ({ posts, languages }: IndexStatus | EngineIndexStatus) =>
  `${pluralized(posts, 'post')}${languages.length === 0 ? '' : ` in ${languages.join(', ')}`}`

function builtinFinding(status: IndexStatus): Finding | undefined {
  const { waiting, rebuilding, damaged, lost } = status
  const searched = searchedIn(status)
  if (damaged > 0)
    return degraded(
      `${searched}; ${pluralized(damaged, 'part')} of the index cannot be read`,
      'Their posts are indexed again within minutes, while searches say `degraded: true`. Look at the disk of the database.'
    )
  if (lost > 0)
    return degraded(
      `${searched}; the index is wrong about ${pluralized(lost, 'post')}`,
      'They are not found. A worker indexes them again within a minute of the first search; galley search verify --fix does it now.'
    )
  // Of more posts than a search analyzes by itself some are not found yet.
  if (waiting > maxRecent) return ok(`${searched}; ${waiting} of them wait to be indexed`)
  if (rebuilding !== null) return ok(`${searched}; ${rebuilding} of them are to be indexed again`)
  return undefined
}

function inspectionFinding(searched: string, found: IndexInspection): Finding | undefined {
  const { incomplete, differing, lost, words } = found
  const wrong = [
    ...(incomplete.length > 0 ? [`${pluralized(incomplete.length, 'part')} of the index lacks postings`] : []),
    ...(differing + lost > 0 ? [`the index is wrong about ${pluralized(differing + lost, 'post')}`] : []),
    ...(words > 0 ? ['words are gone that others are compared with'] : [])
  ]
  if (wrong.length === 0) return undefined
  return degraded(
    `${searched}; ${wrong.join(', and ')}`,
    'Some posts are not found. galley search verify --fix repairs it now, a worker within an hour.'
  )
}

const spellingFinding = (searched: string, correctsAll: boolean): Finding =>
  correctsAll
    ? ok(`${searched}; misspelt words are corrected`)
    : skipped(`${searched}; the server has no pg_trgm: fewer misspelt words are corrected`)

function engineFinding(status: EngineIndexStatus): Finding {
  const { driver, engine, index, waiting, rebuilding, refused, reasons, fault } = status
  if (engine === null)
    return critical(
      `No post is found by words: ${fault ?? `${driver} does not answer.`}`,
      'Correct that, or set search_driver to builtin. Changes wait meanwhile; galley search status shows how many.'
    )
  const searched = `${searchedIn(status)} in ${engine}`
  if (rebuilding !== null) return ok(`${searched}; ${rebuilding} of them are still to be sent to a new index`)
  if (index === null)
    return degraded(
      `${engine} has no index of the posts${fault === null ? '' : `: ${fault}`}`,
      'A worker makes it within a minute; galley search update does it now.'
    )
  if (fault !== null)
    return degraded(`${searched}; ${waiting} changes wait: ${fault}`, 'Correct that: the rest follows by itself.')
  if (refused > 0)
    return degraded(
      `${searched}; it refuses ${pluralized(refused, 'post')}, such as ${reasons[0]}`,
      'They are found by meaning alone. An edit of the post sends it again, galley search rebuild all.'
    )
  return ok(waiting === 0 ? `${searched}; all are up to date` : `${searched}; ${waiting} changes wait to be sent`)
}
