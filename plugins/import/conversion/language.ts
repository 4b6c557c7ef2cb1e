import path from 'node:path'
import { boundedMany, LimitError } from '#child-process'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const module = new URL(`./detect-language${path.extname(import.meta.url)}`, import.meta.url)
const detectBounded = boundedMany<string | null>(module, 'detectLanguage')

/** The language of each markdown text, BCP 47; null where it is not certain. `client` is whoever asks. @throws UnavailableError */
export async function detectLanguages(texts: readonly string[], client: string): Promise<(string | null)[]> {
  const found = await detectBounded(texts, client)
  return found.map(each => (each instanceof LimitError ? null : each))
}
