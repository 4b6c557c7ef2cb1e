import { type Static, Type } from '#core'
import { oneLine } from '#text/excerpts'
import { citations, replaceCitations } from '../article.ts'
import type { Assignment, Draft, Source, Writer } from '../ports.ts'
import type { ModelClient } from './client.ts'
import { writerPrompt, writerSystem } from './prompts.ts'

/**
 * The widest a text of 5000 words could be; the rails judge what is good, these only keep out what is absurd and what would
 * hold up the markdown reader, whose time grows with the square of hostile markup.
 */
const Written = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 300 }),
    excerpt: Type.String({ minLength: 1, maxLength: 1000 }),
    content: Type.String({ minLength: 100, maxLength: 60_000 })
  },
  { additionalProperties: false }
)

interface ModelWriterOptions {
  client: ModelClient
  model: string
  maxRetries: number
}

/** Writes with a chat model, asking once; the pipeline asks again, `maxRetries` times. The Sources list is made here from what the text cites, never taken from the model. */
export function createModelWriter({ client, model, maxRetries }: ModelWriterOptions): Writer {
  return {
    name: `model:${model}`,
    maxRetries,
    async write(assignment, signal) {
      const request = {
        model,
        system: writerSystem,
        user: writerPrompt(assignment),
        schema: Written,
        signal,
        maxRetries: 0
      }
      const { value } = await client.complete(request)
      return draftOf(value, assignment, model)
    }
  }
}

function draftOf(written: Static<typeof Written>, { sources }: Assignment, model: string): Draft {
  const title = tidyTitle(written.title)
  const body = withoutSourcesList(withoutTitle(withoutFence(written.content), title))
  const numbers = [...new Set(outsideCode(body).flatMap(citations))].sort((one, other) => one - other)
  const cited = numbers.flatMap(number => {
    const source = sources[number - 1]
    return source === undefined ? [] : [{ number, source }]
  })
  const list = cited.map(({ source }, index) => `${index + 1}. ${nameOf(source)}`)
  const renumbered = renumber(
    body,
    cited.map(({ number }) => number)
  )
  const content = list.length === 0 ? body : `${renumbered}\n\n## Sources\n\n${list.join('\n')}`
  const source_ids = cited.map(({ source }) => source.source_id)
  return { title, excerpt: oneLine(written.excerpt), content, source_ids, model }
}

function tidyTitle(title: string): string {
  const line = oneLine(title).replace(/^#+ /, '')
  return line.replace(/^(["*_]+|“)(.*?)(["*_]+|”)$/, '$2').trim()
}

function withoutFence(content: string): string {
  const text = content.replaceAll('\r\n', '\n').trim()
  return /^(`{3,}|~{3,})(?:markdown|md)?\n([\s\S]*)\n\1$/.exec(text)?.[2]?.trim() ?? text
}

function withoutTitle(content: string, title: string): string {
  const [first = '', ...rest] = content.split('\n')
  const isTitle = first.startsWith('# ') && tidyTitle(first).toLowerCase() === title.toLowerCase()
  return isTitle ? rest.join('\n').trim() : content
}

function withoutSourcesList(content: string): string {
  const heading = [...content.matchAll(/^#{1,6} +(?:sources|references):? *$/gim)].at(-1)
  if (!heading) return content
  const after = content.slice(heading.index + heading[0].length)
  const next = after.search(/^#{1,6} /m)
  return `${content.slice(0, heading.index)}${next === -1 ? '' : after.slice(next)}`.trim()
}

/**
 * A numbered list shows 1, 2, 3 whatever numbers stand in it, so the cited sources are numbered without gaps. Numbers of no
 * source stay as they are: the grounding rail reports them.
 */
function renumber(body: string, cited: readonly number[]): string {
  const rewrite = (numbers: number[]) =>
    numbers.map(number => `[${cited.includes(number) ? cited.indexOf(number) + 1 : number}]`).join('')
  return splitCode(body)
    .map(({ text, isCode }) => (isCode ? text : replaceCitations(text, rewrite)))
    .join('')
}

function outsideCode(body: string): string[] {
  return splitCode(body).flatMap(({ text, isCode }) => (isCode ? [] : text))
}

function splitCode(body: string): { text: string; isCode: boolean }[] {
  const parts = body.split(/(^(?:```|~~~)[\s\S]*?^(?:```|~~~)[^\n]*$|`[^`\n]+`)/m)
  return parts.map((text, index) => ({ text, isCode: index % 2 === 1 }))
}

function nameOf({ title, url }: Source): string {
  const name = oneLine(title).replace(/[[\]\\]/g, '\\$&')
  return url === null ? name : `[${name}](<${url.replace(/[<>\s]/g, encodeURIComponent)}>)`
}
