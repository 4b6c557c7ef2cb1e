import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { packageRoot } from '../../core/paths.ts'
import { packagedSources, readSource } from '../suite/import-graph.ts'
import { withoutComments } from '../suite/source-text.ts'

const folder = path.join(packageRoot, 'core/decisions')
const pages = readdirSync(folder)
  .filter(file => file !== 'README.md')
  .sort()
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8')

test('decisions are numbered without gaps', () => {
  const numbers = pages.map(file => Number(file.slice(0, 4)))
  assert.deepEqual(
    numbers,
    pages.map((_, at) => at + 1)
  )
})

test('the index has each decision with its number and title', () => {
  const rows = [...read('README.md').matchAll(/^\| \[(\d{4})\]\(([^)]+)\) \| ([^|]+) \| [^|]+ \|$/gm)]
  assert.deepEqual(
    rows.map(([, number, file, title]) => [file, `# ${number}: ${title}`]),
    pages.map(file => [file, read(file).split('\n')[0]])
  )
})

describe('a decision has a context, a decision and consequences', () => {
  for (const file of pages)
    test(file, () => {
      const headings = [...read(file).matchAll(/^## (.+)$/gm)].map(match => match[1])
      assert.deepEqual(headings, ['Context', 'Decision', 'Consequences'])
    })
})

/** A printed page and a half, tables included. */
const maxWords = 800

test(`a decision has at most ${maxWords} words`, () => {
  const long = pages
    .map(file => ({ file, words: read(file).split(/\s+/).length }))
    .filter(({ words }) => words > maxWords)
  assert.deepEqual(long, [])
})

test('a decision names what the code has, but for tables of what was compared', () => {
  const sources = packagedSources()
  const words = new Set(sources.flatMap(file => codeWords(readSource(file))))
  const unknown = pages.flatMap(file =>
    [
      ...read(file)
        .replace(/^\|.*/gm, '')
        .matchAll(/`([a-z]+(?:[A-Z]\w*)?)`/g)
    ]
      .map(([, name = '']) => name)
      .filter(name => !words.has(name))
      .map(name => `${file}: ${name}`)
  )
  assert.deepEqual(unknown, [])
})

const codeWords = (source: string): string[] => withoutComments(source).match(/(?<!Math\.)\b\w+/g) ?? []
