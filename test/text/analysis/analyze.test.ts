import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { analyze, eachToken, languageOfTag, type TextLanguage, textLanguages } from '#text'

/** `position:term` of each token, and what it stands for when that is more than its position. */
const termsOf = (text: string, language: TextLanguage = 'english') =>
  analyze(text, language)
    .map(({ term, position, span }) => `${position}:${term}${span > 1 ? `+${span - 1}` : ''}`)
    .join(' ')

test('words are folded and stemmed, and stop words keep their position', () => {
  const cases: [text: string, terms: string, language?: TextLanguage][] = [
    ['The running Dogs_of snake-_case', '0: 1:run 2:dog 3: 4:snake 5:case'],
    ['Straße Häuser größte', '0:strass 1:haus 2:grosst', 'german'],
    ['Crème brûlée à l’école', '0:crem 1:brule 2: 3: 4:ecol', 'french'],
    ['Smørrebrød Żółw łódź Ærø', '0:smorrebrod 1:zolw 2:lodz 3:aero', 'simple'],
    ['Ёлка и ёж', '0:елк 1: 2:еж', 'russian'],
    ['Σίσυφος ΣΊΣΥΦΟΣ', '0:σίσυφοσ 1:σίσυφοσ', 'simple'],
    ['İstanbul ıssız', '0:istanbul 1:issiz', 'simple'],
    ['ﬁne Ａbc x² 𝐀bc ½ Foo™', '0:fine 1:abc 2:x2 3:abc 4:1 5:2 6:foo'],
    ['عَرَبِيّ عربي', '0:عربي 1:عربي', 'simple'],
    ['co\u00adoperate', '0:cooper'],
    ['x86 3rd 1,000', '0:x86 1:3rd 2:1 3:000'],
    ['', ''],
    [' … -- "" ', '']
  ]
  for (const [text, terms, language] of cases) assert.equal(termsOf(text, language), terms, text)
})

test('scripts without blanks are single characters, and pictographs are words', () => {
  assert.equal(termsOf('日本語。', 'simple'), '0:日 1:本 2:語')
  assert.equal(termsOf('ab한국', 'simple'), '0:ab 1:한 2:국')
  assert.equal(termsOf('한국'.normalize('NFD'), 'simple'), '0:한 1:국')
  assert.equal(termsOf('ｶﾞか\u3099', 'simple'), '0:ガ 1:が')
  assert.equal(termsOf('สวย', 'simple'), '0:ส 1:ว 2:ย')
  assert.equal(termsOf('go🚀👍🏽❤️', 'simple'), '0:go 1:🚀 2:👍 3:❤')
  assert.equal(termsOf('हिन्दी', 'simple'), '0:हिन्दी')
})

test('words with one hyphen or apostrophe are also found as one', () => {
  const cases: [text: string, terms: string, language?: TextLanguage][] = [
    ['e-mail', '0:e 0:email+1 1:mail'],
    ['email', '0:email'],
    ['e‑mail’s', '0:e 0:email+1 1:mail 2:'],
    ["O'Reilly", '0:o 0:oreilli+1 1:reilli'],
    ["O'Reilly's", '0:o 0:oreilli+1 1:reilli 2:'],
    ['covid-19', '0:covid 0:covid19+1 1:19'],
    ['2020-21', '0:2020 1:21'],
    ['state-of-the-art', '0:state 1: 2: 3:art'],
    ["John's", '0:john 1:'],
    ["l'ecole", '0: 1:ecol', 'french'],
    ['aujourd’hui', '0:aujourd 0:aujourdhui+1 1:hui', 'french'],
    ['well - known', '0:well 1:known'],
    [`${'a'.repeat(20)}-${'b'.repeat(11)}`, `0:${'a'.repeat(20)} 1:${'b'.repeat(11)}`]
  ]
  for (const [text, terms, language] of cases) assert.equal(termsOf(text, language), terms, text)
})

test('every language stems its words, and simple leaves them', () => {
  const words: Partial<Record<TextLanguage, [string, string]>> = {
    czech: ['městech', 'mest'],
    dutch: ['fietsen', 'fiets'],
    estonian: ['majades', 'maja'],
    finnish: ['talossa', 'talo'],
    hungarian: ['házakat', 'haz'],
    norwegian: ['husene', 'hus'],
    persian: ['کتاب‌ها', 'کتاب'],
    polish: ['książkami', 'ksiazk'],
    spanish: ['corriendo', 'corr'],
    turkish: ['evler', 'ev'],
    basque: ['etxeak', 'etxe'],
    yiddish: ['היימען', 'הײמ'],
    simple: ['houses', 'houses']
  }
  for (const [language, [word, term]] of Object.entries(words))
    assert.equal(analyze(word, textLanguages.find(known => known === language) ?? 'english')[0]?.term, term, language)
  // No language leaves a word without a term, or fails on the letters of another.
  for (const language of textLanguages)
    for (const word of ['wxyz', 'вгджз', 'की', 'αβγδ', 'ع'])
      assert.notEqual(analyze(word, language)[0]?.term.length, 0, `${language} ${word}`)
})

test('a tag names the language that its texts are searched in', () => {
  const languages = [
    'de-AT',
    'EN_us',
    'nb',
    'nn-NO',
    'zh-Hant',
    'ja',
    'vi',
    'sr-Latn',
    'deu',
    'xx',
    '',
    'x-own',
    'english'
  ]
  assert.deepEqual(languages.map(languageOfTag), [
    'german',
    'english',
    'norwegian',
    'norwegian',
    'simple',
    'simple',
    'simple',
    'serbian',
    'german',
    undefined,
    undefined,
    undefined,
    undefined
  ])
})

const anyText = fc.string({ unit: 'binary', maxLength: 200 })
const anyLanguage = fc.constantFrom(...textLanguages)

test('positions never decrease, terms are short, and folded words stay as they are', () => {
  fc.assert(
    fc.property(anyText, anyLanguage, fc.nat(1000), (text, language, from) => {
      const words: string[] = []
      let last = from
      const next = eachToken(text, language, from, (term, position, word, span) => {
        assert.ok(position >= last && term.length <= 100 && word.length <= 100 && word !== '')
        assert.ok(term.isWellFormed() && word.isWellFormed())
        last = position
        if (span === 1) words.push(word)
      })
      assert.equal(next, from + words.length)
      const again = analyze(words.join(' '), language).map(({ word }) => word)
      assert.deepEqual(again, words)
    }),
    // A digit with a full stop, in one character.
    { numRuns: 500, examples: [['No. 🄀, or 🄅', 'english', 0]] }
  )
})

test('other forms of the same letters have the same terms', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(..."aéÖßñŁæ-'か가ガ ё")), anyLanguage, (letters, language) => {
      const text = letters.join('')
      assert.deepEqual(analyze(text.normalize('NFD'), language), analyze(text.normalize('NFC'), language))
    })
  )
})

test('hostile texts have few tokens, each looked at once', () => {
  const size = 200_000
  const visits = (text: string) => {
    let count = 0
    const next = eachToken(text, 'english', 0, () => {
      count += 1
    })
    return [count, next]
  }
  const times = (part: string) => part.repeat(size / part.length)
  assert.deepEqual(visits(times('\u0301\u0316')), [0, 0], 'only marks')
  assert.deepEqual(visits(`a${times('\u0301\u0316')}`), [1, 1], 'one letter under marks')
  assert.deepEqual(visits(times('a')), [1, 1], 'one letter')
  assert.deepEqual(visits(times("-'")), [0, 0], 'punctuation')
  assert.deepEqual(visits(times('a-')), [size / 2, size / 2], 'one chain')
  assert.deepEqual(visits(times('\ud83d')), [0, 0], 'halves of pairs')
  assert.deepEqual(visits(times('か\u3099')), [size / 2, size / 2], 'composed kana')
  assert.deepEqual(visits(times('½ ')), [size, size], 'fractions')
})
