import { createHash } from 'node:crypto'
import path from 'node:path'
import { moduleAt } from '#child-process/fork'
import type { CallBudget } from '#child-process/long-call'
import { truncateText } from '#text/excerpts'
import type { EncodedEpisode, EncodeInput, SoundlessText } from '../audio/encode.ts'
import { SpeechError } from '../speech/speech-error.ts'
import { callEncoder } from './encoder-call.ts'
import type { WorkFolder } from './work-folder.ts'

const encoder = moduleAt('../audio/encode', import.meta.url).href
const heapMb = 128

/**
 * An hour of speech is 160 MB of samples, and takes 15 to 30 s of a processor. It is given some 3 minutes, and on a machine
 * that others keep busy another 16: however long a text is, its job ends.
 */
const budgets = (megabytes: number): [CallBudget, CallBudget] => [
  { niceness: 19, timeoutMs: 60_000 + 1000 * megabytes },
  { niceness: 5, timeoutMs: 60_000 + 6000 * megabytes }
]

export interface EncodeOptions {
  folder: Pick<WorkFolder, 'pathOf' | 'bytesOf' | 'read' | 'fill' | 'save' | 'keepOnly'>
  /** Of all spoken pieces. */
  bytes: number
  /** Called with the share that is done, 0–1. What it throws ends the work. */
  report(share: number): Promise<void>
  signal: AbortSignal
}

/** An MP3 with what is known of it. */
export interface EpisodeFile extends EncodedEpisode {
  file: string
}

/**
 * Encodes spoken pieces, unless that was done before: a job that goes on after a kill, or after its store was full, finds the
 * file. What is known of it is written after it, so that it is whole.
 * @throws SpeechError where most of it has no sound; UnavailableError; the reason of an aborted signal
 */
export async function ensureEncoded(
  input: Omit<EncodeInput, 'output'>,
  { folder, bytes, report, signal }: EncodeOptions
): Promise<EpisodeFile> {
  const name = `episode-${identityOf(input)}`
  const file = folder.pathOf(`${name}.mp3`)
  const facts = folder.pathOf(`${name}.json`)
  const json = await folder.read(facts)
  if (json !== null && (await folder.bytesOf(file)) !== null) {
    const known: EncodedEpisode = JSON.parse(json.toString('utf8'))
    return Object.assign(known, { file })
  }
  const made = await folder.fill(file, async unfinished => {
    const encoded = await encode({ ...input, output: unfinished }, { bytes, report, signal })
    if (!('unheard' in encoded)) return encoded
    // An engine that was corrected is asked anew.
    await folder.keepOnly([])
    throw soundless(encoded)
  })
  await folder.save(facts, Buffer.from(JSON.stringify(made)))
  return Object.assign(made, { file })
}

const soundless = ({ unheard }: SoundlessText) =>
  new SpeechError(
    `The engine gave no sound for most of the text, as for "${truncateText(unheard, 60)}": does it speak the language of the post?`
  )

/** Counts up when episodes are encoded in another way. */
const version = 6

/** The picture apart: as JSON its bytes would be half a million characters. */
function identityOf({ pieces, sections, tags: { cover, ...tags } }: Omit<EncodeInput, 'output'>): string {
  const hash = createHash('sha256').update(JSON.stringify([version, pieces, sections, tags, cover?.type]))
  return (cover === null ? hash : hash.update(cover.bytes)).digest('hex')
}

const encode = (
  input: EncodeInput,
  { bytes, report, signal }: Omit<EncodeOptions, 'folder'>
): Promise<EncodedEpisode | SoundlessText> =>
  callEncoder(
    { module: encoder, name: 'encodeEpisode', input },
    {
      budgets: budgets(bytes / 1_000_000),
      heapMb,
      folder: path.dirname(input.output),
      failure: 'The episode could not be encoded',
      report,
      signal
    }
  )
