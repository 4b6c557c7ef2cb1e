import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { packageRoot } from '../../core/paths.ts'

const generated = ['docs/cli.md', 'docs/errors.md', 'docs/rest.md', 'docs/settings.md']
const folders = ['.', 'docs', 'core', 'core/decisions', 'bench', 'clients/typescript']

const pagesIn = (folder: string): string[] =>
  readdirSync(path.join(packageRoot, folder))
    .filter(file => file.endsWith('.md'))
    .map(file => path.posix.join(folder, file))

const foldersIn = (folder: string): string[] =>
  readdirSync(path.join(packageRoot, folder), { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(entry => `${folder}/${entry.name}`)

const pages = [...folders, ...foldersIn('plugins'), ...foldersIn('examples')]
  .flatMap(pagesIn)
  .filter(page => !generated.includes(page))

/** Paragraphs and list items of a page, each on one line; headings, tables and code are none. */
function paragraphsOf(page: string): string[] {
  const prose = page.replace(/^(`{3,}).*\n[\s\S]*?^\1/gm, '').replace(/^(#|\||<).*$/gm, '')
  return prose
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/)
    .map(text =>
      text
        .trim()
        .replace(/^([-*]|\d+\.) /, '')
        .replaceAll(/\s+/g, ' ')
    )
    .filter(text => text !== '')
}

/** The number of words of each sentence; a piece of code is one word. */
function lengthsOf(paragraph: string): number[] {
  const plain = paragraph.replaceAll(/`[^`]*`/g, 'code').replaceAll(/\]\([^)]*\)/g, ']')
  return plain
    .split(/(?<=[.!?:])\s+(?=[A-Z"“*[\d]|code)/)
    .map(sentence => sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’./%-]*/gu)?.length ?? 0)
    .filter(length => length > 0)
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

test('sentences and paragraphs are told apart', () => {
  const page = '# No\n\nOne two `a b`. Three\nfour.\n\n- Five: Six seven.\n- Eight.\n\n| no | no |\n\n```sh\nno\n```\n'
  assert.deepEqual(paragraphsOf(page), ['One two `a b`. Three four.', 'Five: Six seven.', 'Eight.'])
  assert.deepEqual(paragraphsOf(page).map(lengthsOf), [[3, 2], [1, 2], [1]])
})

describe('half of the sentences have at most 20 words, nine of ten at most 28, and paragraphs at most five lines', () => {
  for (const page of pages)
    test(page, () => {
      const paragraphs = paragraphsOf(readFileSync(path.join(packageRoot, page), 'utf8'))
      const lengths = paragraphs.flatMap(lengthsOf).sort((a, b) => a - b)
      assert.ok(quantile(lengths, 0.5) <= 20, `the median sentence has ${quantile(lengths, 0.5)} words`)
      assert.ok(quantile(lengths, 0.9) <= 28, `one sentence in ten has ${quantile(lengths, 0.9)} words or more`)
      // Five lines of 120 characters.
      assert.deepEqual(
        paragraphs.filter(paragraph => paragraph.length > 600).map(text => text.slice(0, 80)),
        []
      )
    })
})
