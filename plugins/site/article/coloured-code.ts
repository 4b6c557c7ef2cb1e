import { createHash } from 'node:crypto'
import path from 'node:path'
import { bounded, boundedMany, LimitError } from '#child-process'
import { createCache, UnavailableError } from '#core'

/** Compiled, it lies beside this file as JavaScript: the compiler does not rewrite a URL. */
const module = new URL(`./colour-blocks${path.extname(import.meta.url)}`, import.meta.url)
const colourBlocks = bounded<string[]>(module, 'colourBlocks')
const colourMany = boundedMany<string[]>(module, 'colourBlocks')

const codeBlock = /<pre><code class="language-([\w+#.-]{1,30})">([\s\S]*?)<\/code><\/pre>/g

/** Of one text; what comes behind stays as it is. */
const maxCodeLength = 200_000
const maxCachedBytes = 8_388_608

interface ColouredText {
  html: string
  /** False when the machine was too busy to colour it: later it may be. */
  isComplete: boolean
}

/** Colours the blocks of code of a post's HTML, in a child process with limits of time and memory. */
export type CodeColours = (content_html: string) => Promise<ColouredText>

/** Depends on nothing but the text, so it stays in memory when posts change. */
export function createCodeColours(): CodeColours {
  const coloured = createCache<string>({ maxBytes: () => maxCachedBytes, bytesOf: html => 2 * html.length })
  return async content_html => {
    const blocks = blocksOf(content_html)
    if (blocks.length === 0) return { html: content_html, isComplete: true }
    const key = createHash('sha256').update(content_html).digest('base64')
    const colour = async () => replaceBlocks(content_html, await colourBlocks(JSON.stringify(blocks), 'site'))
    try {
      return { html: await coloured.load(key, colour), isComplete: true }
    } catch (error) {
      if (error instanceof LimitError) return { html: content_html, isComplete: true }
      if (error instanceof UnavailableError) return { html: content_html, isComplete: false }
      throw error
    }
  }
}

/**
 * Colours many texts, which share calls. None stays in memory: an export asks for each once.
 * @throws UnavailableError when the machine is too busy
 */
export async function colourTexts(texts: readonly string[]): Promise<string[]> {
  const blocks = texts.map(blocksOf)
  const withCode = [...texts.keys()].filter(at => (blocks[at]?.length ?? 0) > 0)
  if (withCode.length === 0) return [...texts]
  const coloured = await colourMany(
    withCode.map(at => JSON.stringify(blocks[at])),
    'site'
  )
  const found = new Map(withCode.map((at, place) => [at, coloured[place]]))
  return texts.map((text, at) => {
    const of = found.get(at)
    return of === undefined || of instanceof LimitError ? text : replaceBlocks(text, of)
  })
}

/** Whether a text has code that is coloured. */
export const hasCode = (content_html: string): boolean => blocksOf(content_html).length > 0

function blocksOf(content_html: string): [language: string, code: string][] {
  const blocks: [string, string][] = []
  let length = 0
  for (const [, language = '', code = ''] of content_html.matchAll(codeBlock)) {
    length += code.length
    if (length > maxCodeLength) break
    blocks.push([language, code])
  }
  return blocks
}

function replaceBlocks(content_html: string, coloured: readonly string[]): string {
  let at = 0
  return content_html.replace(codeBlock, (block, language: string) => {
    const code = coloured[at++]
    return code === undefined ? block : `<pre><code class="language-${language}">${code}</code></pre>`
  })
}
