import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { TextLanguage } from './languages.ts'

const endings = /(?:ations?|ements?|ments?|ings?|edly|ness|ers?|ed|ies|es|ly|s|e|y)$/

/**
 * The stem of a word of a text whose language nobody states. It cuts common English endings of a word in lower case: `caches`,
 * `cached` and `caching` have one stem. The vectors of the embedded embedder depend on it: a change needs another
 * `embeddedModel`.
 */
export function stem(word: string): string {
  if (word.length <= 3) return word
  // `page` as `pages`, `cats` as `cat`.
  if (word.length === 4) return /(?:[^s]s|e)$/.test(word) ? word.slice(0, 3) : word
  const cut = word.replace(endings, '')
  return cut.length >= 3 ? cut : word
}

/** What is used of the library's WebAssembly module. */
interface Snowball {
  initSync(source: { module: Uint8Array }): void
  Stemmer: new (language: number) => { stem(word: string): string }
  Languages: Readonly<Record<string, number>>
}

let snowball: Snowball | undefined

/**
 * The stems of a stated language, by Snowball. The library's own entry compiles its module when it is imported, with a
 * top-level await, which every start would pay for. Its inner file does the same at the first stem.
 */
export function stemmerOf(language: Exclude<TextLanguage, 'simple'>): (word: string) => string {
  snowball ??= loadSnowball()
  const stemmer = new snowball.Stemmer(snowball.Languages[nameOf(language)] ?? 0)
  return word => stemmer.stem(word)
}

const nameOf = (language: string) => language.charAt(0).toUpperCase() + language.slice(1)

function loadSnowball(): Snowball {
  const entry = import.meta.resolve('multilingual-stemmer')
  const glue = new URL('./browser/index.js', entry)
  const loaded: Snowball = createRequire(import.meta.url)(fileURLToPath(glue))
  loaded.initSync({ module: readFileSync(new URL('./index_bg.wasm', glue)) })
  return loaded
}
