import { walkTokens } from 'marked'
import { type Article, readMarkdown } from '../article.ts'
import type { BuiltInRail } from '../ports.ts'
import { findingOf, quote } from './faults.ts'

/** What writers and models leave behind. Each is looked for outside code, and is no fault when the topic itself has it. */
const leftovers: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a note to the author', /\b(?:TODO|FIXME|TBD)\b|\bXXX\b/],
  ['filler text', /\blorem ipsum\b/i],
  [
    'a blank to fill in',
    /[[<](?:insert|add|enter|your|placeholder|link to|example here|citation needed)\b[^\][<>\n]{0,80}[\]>](?!\()/i
  ],
  ['a template field', /\{\{[^{}\n]{0,80}\}\}|\{%[^{}%\n]{0,80}%\}/],
  ['a model speaking of itself', /\bas an? (?:AI|artificial intelligence|large)(?: language)?(?: model| assistant)\b/i],
  ['a model speaking of itself', /\b(?:my knowledge cut-?off|my training data|I(?:'|’)?m (?:just )?an AI)\b/i],
  [
    'a model declining',
    /\bI(?:(?:'|’)m sorry,? but I| can(?:not|(?:'|’)t) (?:fulfil|assist|help with|comply|browse))/i
  ],
  [
    'a reply to the prompt',
    /^[ \t]*(?:sure|certainly|of course|absolutely)[,!.]\s*(?:here|I(?:'|’)ll|I can|below)\b/im
  ],
  [
    'a reply to the prompt',
    /\bhere(?:'|’| i)?s (?:the|a|an|your) (?:\w+ ){0,3}(?:article|blog post|draft|rewrite|version)\b[^.\n]{0,60}:/i
  ],
  ['a reply to the prompt', /\b(?:I hope this helps|let me know if you(?:(?:'|’)d| would| need| want| have))\b/i],
  [
    'a label of the prompt',
    /^\W{0,4}(?:word count|target length|target audience|primary keyword|meta description|seo title|excerpt)\W{0,3}:/im
  ],
  [
    'a mark of the chat format',
    /<\|[a-z_]{2,30}\|>|\[\/?INST\]|<\/?(?:think|source|feedback|previous_draft|assignment)>/i
  ]
]

/** Leftover placeholders and prompt text, in title, excerpt and content. */
export const placeholders: BuiltInRail = {
  name: 'placeholders',
  describe: 'No leftover placeholders, prompt text, chat phrases, or code fence around the whole text.',
  mode: 'required',
  threshold: 100,
  weight: 1,
  check({ title, excerpt, content }, { topic }) {
    const { blocks, sections, tokens } = readMarkdown(content)
    const headings = sections.map(section => section.heading ?? '')
    const text = [title, excerpt, ...headings, ...blocks.map(block => block.outsideCode), ...tagsOf(tokens)].join('\n')
    const faults = leftovers.flatMap(([what, pattern]) => {
      const found = pattern.exec(text)?.[0]
      return found === undefined || pattern.test(topic) ? [] : [`${what}: ${quote(found)}`]
    })
    return findingOf([...faults, ...wrapperFaults(content)], 50, 'No leftovers of a prompt or template.')
  }
}

/** Tags count as HTML, which plain text leaves out. */
function tagsOf(tokens: Article['tokens']): string[] {
  const tags: string[] = []
  walkTokens([...tokens], token => {
    if (token.type === 'html') tags.push(token.raw)
  })
  return tags
}

function wrapperFaults(content: string): string[] {
  const text = content.trim()
  if (/^(?:```|~~~)/.test(text) && /(?:```|~~~)$/.test(text)) return ['the whole text stands in a code fence']
  if (/^[{[]\s*["{]/.test(text) && /[}\]]$/.test(text)) return ['the whole text is JSON']
  return []
}
