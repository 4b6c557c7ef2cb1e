import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKnownTokens, type TokensByLanguage } from '../../../../plugins/search/vocabulary/known-tokens.ts'

const text = (body: string, search_language = 'english') => ({ search_language, title: 'Tides', excerpt: '', body })

test('what stands between blanks and punctuation is told once, until its words are stored', () => {
  const tokens = createKnownTokens()
  const unknownIn = (...texts: ReturnType<typeof text>[]): TokensByLanguage => {
    const unknown: TokensByLanguage = new Map()
    for (const each of texts) tokens.addUnknown(each, unknown)
    return unknown
  }
  const first = unknownIn(text('Rise, and (fall) and rise.'), text('Rise — node.js'))
  assert.deepEqual([...(first.get('english') ?? [])], ['Tides', 'Rise', 'and', 'fall', 'rise', 'node', 'js'])
  assert.equal(unknownIn(text('Rise')).get('english')?.size, 2)
  tokens.add('english', first.get('english') ?? new Set())
  assert.deepEqual(unknownIn(text('Rise and ebb')), new Map([['english', new Set(['ebb'])]]))
  assert.deepEqual(unknownIn(text('Rise and fall')), new Map())
  assert.deepEqual(unknownIn(text('and', 'german')), new Map([['german', new Set(['Tides', 'and'])]]))
})

test('what is kept is bounded, in number and in length', () => {
  const tokens = createKnownTokens()
  const many = Array.from({ length: 90_000 }, (_, n) => `word${n}`)
  tokens.add('english', new Set([...many, 'x'.repeat(41)]))
  const unknown: TokensByLanguage = new Map()
  tokens.addUnknown(text(`${many[0]} ${'x'.repeat(41)}`), unknown)
  assert.deepEqual([...(unknown.get('english') ?? [])], ['Tides', 'x'.repeat(41)])
  tokens.add('english', new Set(many.map(word => `${word}s`)))
  unknown.clear()
  tokens.addUnknown(text(`${many[0]} ${many[0]}s`), unknown)
  assert.deepEqual([...(unknown.get('english') ?? [])], ['Tides', many[0]])
})
