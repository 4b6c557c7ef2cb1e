import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { languages } from '../../../plugins/site/texts/languages.ts'
import { createTexts } from '../../../plugins/site/texts/read-texts.ts'
import type { SiteText } from '../../../plugins/site/texts/texts.ts'

const english = languages.en ?? {}
const formsOf = (text: SiteText | undefined): string[] =>
  typeof text === 'object' ? Object.values(text) : text === undefined ? [] : [text]
const valuesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

describe('the texts around posts', () => {
  for (const [language, texts] of Object.entries(languages)) {
    test(`in ${language} are all there, with the values that the English ones have`, () => {
      assert.deepEqual(Object.keys(texts).sort(), Object.keys(english).sort())
      for (const [key, text] of Object.entries(texts)) {
        const wanted = valuesIn(formsOf(english[key]).at(-1) ?? '')
        assert.deepEqual(valuesIn(formsOf(text).at(-1) ?? ''), wanted, key)
        for (const form of formsOf(text)) {
          assert.ok(form.trim() !== '', key)
          assert.ok(
            valuesIn(form).every(name => wanted.includes(name)),
            `${key}: ${form}`
          )
        }
      }
    })
    test(`in ${language} have a form for every number`, () => {
      const rules = new Intl.PluralRules(language)
      for (const [key, text] of Object.entries(texts)) {
        if (typeof text !== 'object') continue
        const reached = new Set(Array.from({ length: 1_001 }, (_, count) => rules.select(count)))
        for (const category of reached) assert.ok(text[category] !== undefined, `${key}: ${category}`)
      }
    })
  }

  const read: [language: string, key: string, values: Record<string, string | number>, text: string][] = [
    ['en', 'posts', { count: 1 }, '1 post'],
    ['en', 'posts', { count: 10_000 }, '10,000 posts'],
    ['de-AT', 'posts', { count: 0 }, '0 Beiträge'],
    ['fr', 'posts', { count: 0 }, '0 article'],
    ['ar', 'posts', { count: 2 }, 'مقالتان'],
    ['ar', 'posts', { count: 3 }, '3 مقالات'],
    ['he', 'posts', { count: 2 }, 'שני פוסטים'],
    ['ja', 'posts', { count: 2 }, '2件の記事'],
    ['pt-PT', 'older', {}, 'Mais antigos'],
    ['zh-TW', 'older', {}, '較舊'],
    ['zh-Hant-HK', 'older', {}, '較舊'],
    ['tlh', 'older', {}, 'Older'],
    ['no-such-language-tag', 'older', {}, 'Older'],
    ['en', 'searchFor', { q: '{site} <b>' }, 'Search: {site} <b>'],
    ['en', 'unknown', {}, 'unknown']
  ]
  for (const [language, key, values, text] of read)
    test(`${key} in ${language} with ${JSON.stringify(values)}`, () =>
      assert.equal(createTexts(language)(key, values), text))

  test('those of a theme come before those of plugins, and both before galley’s', () => {
    const text = createTexts('de', [
      { DE: { older: 'Früher' } },
      { de: { older: 'x', newer: 'Später' }, en: { own: 'Own' } }
    ])
    assert.deepEqual(
      [text('older'), text('newer'), text('own'), text('archive')],
      ['Früher', 'Später', 'Own', 'Archiv']
    )
  })
})
