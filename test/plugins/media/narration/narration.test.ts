import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { maxSpokenWords, narrate } from '../../../../plugins/media/narration/narration.ts'
import { maxUtteranceLength, utterancesOf } from '../../../../plugins/media/narration/utterances.ts'

const spoken = (content: string, language = 'en') =>
  narrate({ title: 'Tides', content, language }).sentences.map(({ text }) => text)

describe('a post is read aloud', () => {
  const rows: [what: string, markdown: string, expected: string[], language?: string][] = [
    ['title first, its own heading left out', '# Tides\n\nThe sea rises.', ['The sea rises.']],
    [
      'sentence by sentence',
      'It rises. It falls again, says Dr. Smith.',
      ['It rises.', 'It falls again, says Dr. Smith.']
    ],
    ['headings of every level', '## The Moon\n\n### Phases\n\nNew.', ['The Moon', 'Phases', 'New.']],
    ['links by their text', 'See [the *paper*](https://x.org/a).', ['See the paper.']],
    [
      'addresses told in a phrase',
      'Visit https://x.org/a?b=1, or <https://a.b/c>.',
      ['Visit a web address, or a web address.']
    ],
    [
      'addresses with parentheses',
      'See (https://x.org/a_(b)), or https://ar.x.org/قمر.',
      ['See (a web address), or a web address.']
    ],
    ['addresses in code', 'Call `GET https://x.org/a` first.', ['Call GET a web address first.']],
    ['addresses without a blank after them', '请看https://x.org/a，然后继续。', ['请看一个网址，然后继续。'], 'zh'],
    ['the same of Korean', 'https://x.org에서 보세요.', ['웹 주소에서 보세요.'], 'ko'],
    [
      'mail addresses likewise',
      'Ask ann@example.org or mailto:a@b.org.',
      ['Ask an e-mail address or an e-mail address.']
    ],
    ['no footnote marks', 'It rises[^1], and falls [2].<sup>3</sup>\n\n[^1]: Not read.', ['It rises, and falls.']],
    [
      'nothing where a mark or a picture was, before any mark',
      'So (see [^1]) it ~~is not~~, “as told [2]”; ok <!-- x -->!',
      ['So (see) it, “as told”; ok!']
    ],
    ['French with its blanks', 'Ça va ? Il dit « oui ».', ['Ça va ?', 'Il dit « oui ».'], 'fr'],
    ['ordinals whole', 'The 3<sup>rd</sup> time.', ['The 3rd time.']],
    ['pictures by their text', '![A full moon](moon.png) It pulls.\n\n![](x.png)', ['A full moon.', 'It pulls.']],
    ['code blocks told once', 'So:\n\n```js\nx()\n```\n\n    y()\n', ['So:', 'The text has a code example here.']],
    ['tables told', '| a | b |\n|---|---|\n| 1 | 2 |', ['The text has a table here.']],
    ['in the language of the post', '```\nx\n```', ['Hier steht im Text ein Codebeispiel.'], 'de-AT'],
    ['in a written form of it', '```\nx\n```', ['Her står det et kodeeksempel i teksten.'], 'nb'],
    ['from the right', '| a |\n|--|\n| b |', ['כאן יש בטקסט טבלה.'], 'he'],
    ['in English where it is not known', '```\nx\n```', ['The text has a code example here.'], 'sw'],
    ['code within a sentence', 'Call `open()` first.', ['Call open() first.']],
    ['items of lists, nested ones too', '- one\n- two\n  - three. Four.', ['one', 'two', 'three.', 'Four.']],
    ['quotations', '> A **bold** word &amp; more.', ['A bold word & more.']],
    ['what is struck out is not', 'It is ~~not~~ true.', ['It is true.']],
    ['HTML as readers see it', '<div><script>alert(1)</script>Hello <b>there</b>.<!-- no --></div>', ['Hello there.']],
    ['no rules, no signs alone', 'A.\n\n---\n\n***\n\n* * *\n\n…', ['A.']],
    ['numbers and abbreviations as they are', 'About 1,234.5 kg, e.g. of sand.', ['About 1,234.5 kg, e.g. of sand.']],
    ['Chinese by its own full stops', '海水上涨。又下降。', ['海水上涨。', '又下降。'], 'zh'],
    ['also with a language nobody knows', 'It rises.', ['It rises.'], 'en-aaaaa-aaaaa']
  ]
  for (const [what, markdown, expected, language] of rows)
    test(what, () => assert.deepEqual(spoken(markdown, language), ['Tides', ...expected]))

  test('whatever is left out, no blank comes before a mark, and no sentence is empty', () => {
    const words = ['tide', 'moon', '**sea**', '`x()`', '[link](https://a.b/c)', '海', 'Ж']
    const leftOut = ['[^1]', '[12]', '~~not~~', '<sup>3</sup>', '<!-- no -->', '[^n](x)', '![](y.png)']
    const marks = ['.', ',', ';', ':', '!', '?', '…', ')', '”', '؟', '。']
    let seed = 1
    const pick = <Item>(items: readonly Item[]) => {
      seed = (seed * 48_271) % 2_147_483_647
      return items[seed % items.length]
    }
    for (let run = 0; run < 2000; run++) {
      const parts = Array.from({ length: 6 }, () => `${pick(words)} ${pick(leftOut)}${pick(marks)}`)
      for (const text of spoken(`${parts.join(' ')}\n\n- ${pick(leftOut)}\n\n${pick(leftOut)}${pick(marks)}`)) {
        assert.doesNotMatch(text, /\s[.,;:!?…)”؟。]|\ufdd0/, parts.join(' '))
        assert.match(text, /[\p{L}\p{N}]/u, parts.join(' '))
      }
    }
  })

  test('an empty title leaves the text', () => {
    assert.deepEqual(narrate({ title: ' ', content: 'A.', language: 'en' }).sentences.length, 1)
  })

  test('sentences know their section: the second-level heading above them', () => {
    const { sentences, sections } = narrate({
      title: 'T',
      content: 'Before.\n\n## One\n\nA.\n\n### Deeper\n\n## \n\n## Two `x`\n\nB.',
      language: 'en'
    })
    assert.deepEqual(sections, ['One', 'Two x'])
    assert.deepEqual(
      sentences.map(({ text, section }) => [text, section]),
      [
        ['T', null],
        ['Before.', null],
        ['One', 0],
        ['A.', 0],
        ['Deeper', 0],
        ['Two x', 1],
        ['B.', 1]
      ]
    )
  })

  test('a text of more words than an episode may have ends with a remark', () => {
    const sentences = spoken('Six words are in this one. '.repeat(maxSpokenWords / 6 + 100))
    assert.equal(sentences.at(-1), 'The rest of the text is not read.')
    assert.ok(sentences.length <= maxSpokenWords / 6 + 3)
  })
})

describe('utterances', () => {
  const utterancesIn = (content: string) => utterancesOf(narrate({ title: 'T', content, language: 'en' }))

  test('short sentences of a paragraph are spoken together, paragraphs apart', () => {
    const texts = utterancesIn('It rises. It falls. It rises.\n\nIt stays.').map(({ text }) => text)
    assert.deepEqual(texts, ['T', 'It rises. It falls. It rises.', 'It stays.'])
  })

  test('Chinese sentences are joined without a blank', () => {
    assert.deepEqual(
      utterancesIn('海水上涨。又下降。').map(({ text }) => text),
      ['T', '海水上涨。又下降。']
    )
  })

  test('the pause grows from sentence to paragraph to section', () => {
    const long = 'The sea rises twice a day along the whole coast, and nobody who lives there wonders.'
    const pauses = utterancesIn(`${long} ${long}\n\nAnd so on.\n\n## End\n\nB.`).map(({ pauseMs }) => pauseMs)
    assert.deepEqual(pauses, [450, 150, 450, 900, 450, 900])
  })

  for (const [what, text] of Object.entries({
    'with commas': `${'a word or more, '.repeat(100)}end.`,
    'without commas': 'word '.repeat(300),
    'without blanks': 'x'.repeat(1501),
    'of emoji': '🌊'.repeat(700)
  }))
    test(`a sentence that is too long is split, ${what}`, () => {
      const parts = utterancesIn(text).slice(1)
      assert.ok(parts.length > 2)
      assert.ok(parts.every(part => part.text.length <= maxUtteranceLength && part.text.isWellFormed()))
      assert.equal(
        parts
          .map(part => part.text)
          .join('')
          .replace(/\s/g, ''),
        text.replace(/\s/g, '')
      )
    })
})
