import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { SearchLanguage } from './languages.ts'

/** What is used of the library's WebAssembly module. */
interface Snowball {
  initSync(source: { module: Uint8Array }): void
  Stemmer: new (language: number) => { stem(word: string): string }
  Languages: Readonly<Record<string, number>>
}

let snowball: Snowball | undefined

/**
 * The stems of a language by Snowball. The library's own entry compiles its module when it is imported, with a top-level await,
 * which every start would pay for. Its inner file does the same at the first stem.
 */
export function stemmerOf(language: Exclude<SearchLanguage, 'simple'>): (word: string) => string {
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
