import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import { UnavailableError } from '#core'
import type { TextLanguage } from '#text'
import type { EngineDocument, EngineRemoval, EngineWrite, NewIndex } from '../driver.ts'
import { keyOfWord, type WordOfTerm } from '../inverted-index/segment-builder.ts'
import { codeOf } from '../languages.ts'
import type { ChangeRow, SentRow } from '../repository/feed.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { documentOf } from './document.ts'

/** What changes are sent with. */
export interface Sending {
  languageOf: (post: { language: string | null }) => TextLanguage
  vocabulary: Pick<Vocabulary, 'addWords'>
  signal: AbortSignal
}

/** What was sent. */
interface SentChanges {
  sent: SentRow[]
  /** Codes of the languages that the texts were sent in. */
  languages: number[]
}

/** Characters analyzed before the event loop goes on: a millisecond. */
const charactersPerPause = 15_000
/** What an engine has no room for is sent again so often, after 0.1 s and twice as long each time. */
const maxRetries = 6
const firstPauseMs = 100

/**
 * Sends changes to an index: published posts as documents, others as removals. What the engine refuses is among what was sent, with
 * the reason. @throws UnavailableError when it does not take them now
 */
export async function sendChanges(
  index: Pick<NewIndex, 'add' | 'remove'>,
  changes: readonly ChangeRow[],
  { languageOf, vocabulary, signal }: Sending
): Promise<SentChanges> {
  const documents = new Map<number, EngineDocument>()
  const removals = new Map<number, EngineRemoval>()
  const languages = new Set<number>()
  const words = new Map<string, WordOfTerm>()
  let characters = 0
  for (const { post_no, revision, published, text } of changes) {
    if (published === null || text === null) {
      removals.set(post_no, { post_no, revision })
      continue
    }
    const analyzed_as = languageOf(text)
    languages.add(codeOf(analyzed_as))
    const made = documentOf({ ...text, post_no, revision, published, analyzed_as })
    documents.set(post_no, made.document)
    for (const word of made.words) words.set(keyOfWord(word), word)
    characters += text.body.length
    if (characters < charactersPerPause) continue
    characters = 0
    await setImmediate()
  }
  const refused = new Map([
    ...(await writeAll(documents, each => index.add(each, signal), signal)),
    ...(await writeAll(removals, each => index.remove(each, signal), signal))
  ])
  await vocabulary.addWords([...words.values()])
  const sent = changes.map(({ post_no, version }) => ({ post_no, version, fault: refused.get(post_no) ?? null }))
  return { sent, languages: [...languages] }
}

/** Writes until the engine took or refused each. @returns the reasons of what it refused, by post */
async function writeAll<Item extends EngineRemoval>(
  items: ReadonlyMap<number, Item>,
  write: (items: readonly Item[]) => Promise<readonly EngineWrite[]>,
  signal: AbortSignal
): Promise<Map<number, string>> {
  const waiting = new Map(items)
  const refused = new Map<number, string>()
  for (let retry = 0; waiting.size > 0; retry++) {
    if (retry > maxRetries)
      throw new UnavailableError('The search engine has had no room for changes for some seconds: they wait.')
    if (retry > 0) await wait(firstPauseMs * 2 ** (retry - 1), undefined, { signal })
    signal.throwIfAborted()
    for (const { post_no, outcome, reason } of await write([...waiting.values()])) {
      if (outcome === 'busy' || !waiting.delete(post_no)) continue
      if (outcome === 'refused') refused.set(post_no, reason ?? 'no reason')
    }
  }
  return refused
}
