import path from 'node:path'
import { bounded, LimitError } from '#child-process'
import { InputError } from '#core'
import { cutText } from '#text/excerpts'
import type { Draft, Writer } from '../ports.ts'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const module = new URL(`./composition${path.extname(import.meta.url)}`, import.meta.url)
/** Fifty sources of 100,000 characters are read, and nobody waits for the answer. */
const composeBounded = bounded<Draft>(module, 'composeDraft', { cpuTimeMs: 30_000 })

/** Of a source, in characters: more than is drawn on. */
const maxSourceChars = 200_000

/**
 * Composes a cited draft by extraction: it quotes whole sentences from the assignment's sources and adds nothing of its
 * own but headings, marks and the list of sources. Deterministic, without a model.
 *
 * `feedback` steers what is quoted and how much; `style`, `tone` and `target_audience` cannot be honoured by quoting and
 * are ignored. Sources that hardly touch the topic are not drawn on. With too little material the draft is short and says
 * what is missing: quality checks then fail it. Length is that of the sources where they run out first, never padded.
 */
export function createEmbeddedWriter(): Writer {
  return {
    name: 'embedded',
    async write(assignment, signal) {
      signal.throwIfAborted()
      try {
        const sources = assignment.sources.map(source => ({ ...source, text: cutText(source.text, maxSourceChars) }))
        return await composeBounded(JSON.stringify({ ...assignment, sources }), 'pipeline')
      } catch (error) {
        if (!(error instanceof LimitError)) throw error
        throw new InputError(
          { sources: error.message },
          `No draft can be composed of the sources: that ${error.message}.`
        )
      }
    }
  }
}
