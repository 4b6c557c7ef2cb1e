import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { packagedSources, readSource } from '../suite/import-graph.ts'
import { codeOf } from '../suite/source-text.ts'

/** The one implementation. */
const implementation = 'core/cache/bounded-map.ts'

/** Maps that evict by themselves, each with the reason why it is no `createBoundedMap`. */
const justified: Record<string, string> = {
  'plugins/graphql/documents.ts: cache': 'cleared together with the documents that mercurius caches',
  'plugins/memory/embedders/word-features.ts: known':
    'the features of all words lie in one array, which is emptied as a whole',
  'text/analysis/word-table.ts: clear': 'words are found where they stand in a text, without a string for each'
}

describe('a map that is bounded and evicts', () => {
  it('is a bounded map of the core', () => {
    const found = packagedSources()
      .filter(file => file !== implementation)
      .flatMap(file => evictingIn(codeOf(readSource(file))).map(name => `${file}: ${name}`))
    assert.deepEqual(found.sort(), Object.keys(justified).sort())
  })

  it('is known by what it deletes next to a check of a bound', () => {
    const evicting = [
      'if (known.size >= maxKnown) known.clear()',
      'if (this.#known.size > 8) {\n  log()\n  this.#known.clear()',
      'known.delete(known.keys().next().value)',
      'const [oldest] = known.keys()\nif (isFull()) known.delete(oldest)',
      'for (const key of known) {\n  if (known.size <= max) break\n  known.delete(key)',
      'if (known.size > max) known = new Map()',
      'if (bytes > maxBytes) {\n  known.clear()',
      'if (words.length >= maxWords) clear()'
    ]
    for (const code of evicting) assert.equal(evictingIn(code).length, 1, code)
    const others = [
      'known.delete(key)\nif (known.size > 0) return',
      'if (known.size >= max) throw busy()\nother.delete(key)'
    ]
    for (const code of others) assert.deepEqual(evictingIn(code), [], code)
  })
})

// Lines from the check of a bound to what is evicted for it.
const distance = 4

/** The names of what a file clears, replaces or deletes from, next to a check of its size or of another bound. */
function evictingIn(code: string): string[] {
  const lines = code.split('\n')
  const found = lines.flatMap((line, at) => {
    const next = lines.slice(at, at + distance).join('\n')
    const bySize = [...line.matchAll(/([\w.#]+)\.size (?:\+ [^<>]*)?[<>]=? (?!0\b)/g)].flatMap(([, name = '']) => name)
    const byAge = [...line.matchAll(/([\w.#]+)\.(?:keys|values|entries)\(\)(?:\.next\(|$)/g)].flatMap(
      ([, name = '']) => name
    )
    const evicted = [...bySize, ...byAge].filter(name => isEvictedIn(next, name))
    return /[<>]=? max[A-Z]\w*/.test(line) ? [...evicted, ...clearedIn(next)] : evicted
  })
  return [...new Set(found)]
}

const isEvictedIn = (code: string, name: string): boolean =>
  [`${name}.clear()`, `${name}.delete(`, `${name} = new `].some(text => code.includes(text))

const clearedIn = (code: string): string[] =>
  [...code.matchAll(/([\w.#]+)\.clear\(\)|\b(clear)\(\)/g)].map(([, name, own]) => name ?? own ?? '')
