import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Assignment, Draft, Source } from '../../../plugins/tasks/ports.ts'
import { createEmbeddedWriter } from '../../../plugins/tasks/writer/embedded-writer.ts'
import { splitSentences } from '../../../text/index.ts'

const folder = new URL('../../../cli/samples/', import.meta.url)
const samples: readonly Source[] = readdirSync(folder)
  .filter(name => name.endsWith('.md'))
  .sort()
  .map(name => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    return { source_id: name, title: /^# (.+)/.exec(text)?.[1] ?? '', text, url: null }
  })

const writer = createEmbeddedWriter()
const { signal } = new AbortController()

function assign(topic: string, changes: Partial<Assignment> = {}): Assignment {
  return {
    topic,
    category: null,
    tags: [],
    primary_keyword: null,
    target_length: 800,
    style: 'technical',
    tone: 'professional',
    target_audience: null,
    feedback: null,
    previous: null,
    sources: samples,
    ...changes
  }
}

const write = (topic: string, changes?: Partial<Assignment>): Promise<Draft> =>
  writer.write(assign(topic, changes), signal)

const source = (text: string, title = 'Harbour notes', url: string | null = null): Source => ({
  source_id: 'notes',
  title,
  text,
  url
})

const bodyOf = ({ content }: Draft): string => content.split('## Sources')[0] ?? ''

const paragraphsOf = (draft: Draft): string[] =>
  bodyOf(draft)
    .split('\n\n')
    .filter(block => block.trim() !== '' && !block.startsWith('## '))

const sentencesOf = (draft: Draft): string[] =>
  paragraphsOf(draft).flatMap(paragraph => splitSentences(paragraph.replace(/(\s*\[\d+\])+\s*$/, '')))

const headingsOf = ({ content }: Draft): string[] => content.match(/^## .+$/gm) ?? []

const wordsOf = (draft: Draft): number =>
  bodyOf(draft)
    .split(/\s+/)
    .filter(word => /\w/.test(word)).length

const listOf = ({ content }: Draft): string[] => content.match(/^\d+\. .+$/gm) ?? []

const normalise = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

function assertNothingSaidTwice(draft: Draft): void {
  const said = sentencesOf(draft).map(normalise)
  assert.deepEqual(
    said.filter((sentence, index) => said.indexOf(sentence) !== index),
    []
  )
}

const topics: readonly (readonly [topic: string, length: number, sourceId: string])[] = [
  ['How PostgreSQL keeps readers and writers apart', 300, 'postgresql-mvcc.md'],
  ['How PostgreSQL keeps readers and writers apart', 800, 'postgresql-mvcc.md'],
  ['How PostgreSQL keeps readers and writers apart', 1500, 'postgresql-mvcc.md'],
  ['what is vacuum in postgres and why do I need it?', 800, 'postgresql-vacuum.md'],
  ['Baking sourdough bread at home', 800, 'sourdough.md'],
  ['Why are there two high tides a day?', 300, 'tides.md'],
  ['HTTP cache headers for beginners', 800, 'http-caching.md'],
  ['daylight saving time bugs in software', 800, 'time-zones.md'],
  ['Transaction id wraparound', 300, 'postgresql-vacuum.md'],
  ['digital signatures', 300, 'public-key-cryptography.md']
]

describe('a topic that the sources cover', () => {
  for (const [topic, target_length, sourceId] of topics) {
    test(`"${topic}" in ${target_length} words becomes a cited post of that length`, async () => {
      const draft = await write(topic, { target_length })
      assert.ok(draft.source_ids.includes(sourceId), `drawn on: ${draft.source_ids}`)
      assert.ok(
        wordsOf(draft) >= target_length * 0.75 && wordsOf(draft) <= target_length * 1.25,
        `${wordsOf(draft)} words`
      )
      assert.ok(headingsOf(draft).length >= 3)
      assert.ok(!draft.content.startsWith('#'), 'an introduction comes before the first heading')
      assertNothingSaidTwice(draft)
    })

    test(`every paragraph of "${topic}" in ${target_length} words cites a listed source that says it`, async () => {
      const draft = await write(topic, { target_length })
      const list = listOf(draft)
      assert.equal(list.length, draft.source_ids.length)
      for (const paragraph of paragraphsOf(draft)) {
        const marks = [...(/((?: \[\d+\])+)\s*$/.exec(paragraph)?.[1] ?? '').matchAll(/\d+/g)].map(Number)
        assert.ok(marks.length > 0, `uncited: ${paragraph}`)
        const cited = marks.map(
          mark => samples.find(({ source_id }) => source_id === draft.source_ids[mark - 1])?.text ?? ''
        )
        for (const sentence of splitSentences(paragraph.replace(/(\s*\[\d+\])+\s*$/, '')))
          assert.ok(
            cited.some(text => text.includes(sentence)),
            `not in a cited source: ${sentence}`
          )
      }
    })
  }

  test('no paragraph opens with a sentence that leans on one left out', async () => {
    for (const [topic, target_length] of topics) {
      for (const paragraph of paragraphsOf(await write(topic, { target_length })))
        assert.doesNotMatch(paragraph, /^(It|This|These|They|That|However|Therefore|Such|Also|But|And) /)
    }
  })

  test('the same assignment gives the same draft', async () => {
    assert.deepEqual(await write('How vaccines work'), await write('How vaccines work'))
  })

  test('sources on other subjects are not drawn on', async () => {
    const draft = await write('How PostgreSQL keeps readers and writers apart', { target_length: 5000 })
    assert.deepEqual(
      draft.source_ids.filter(id => !id.startsWith('postgresql-')),
      []
    )
  })

  test('sources that run out give a shorter post, not a padded one', async () => {
    const draft = await write('How vaccines work', { target_length: 5000 })
    assert.deepEqual(draft.source_ids, ['vaccines.md'])
    assert.ok(wordsOf(draft) < 1200)
    assertNothingSaidTwice(draft)
  })

  test('a source told twice, under another title, is quoted once', async () => {
    const tides = samples.find(({ source_id }) => source_id === 'tides.md') as Source
    const copy = { ...tides, source_id: 'copy', title: 'Tides once more' }
    assertNothingSaidTwice(await write('How tides work', { sources: [tides, copy], target_length: 3000 }))
  })

  test('a part of the topic that no source mentions is named below the sources', async () => {
    const draft = await write('Honey bees and wasps')
    assert.match(draft.content, /\nNot covered by these sources: wasps\.\n$/)
  })
})

describe('titles and excerpts', () => {
  const titles: readonly (readonly [topic: string, title: string])[] = [
    ['how postgresql keeps readers and writers apart', 'How PostgreSQL Keeps Readers and Writers Apart'],
    ['why are there two high tides a day?', 'Why Are There Two High Tides a Day?'],
    ['  http caching, explained. ', 'HTTP Caching, Explained'],
    ['HOW VACCINES WORK IN THE BODY', 'How Vaccines Work in the Body'],
    ['DNS', 'How DNS Turns a Name into an Address'],
    ['**Sourdough** <b>bread</b>', 'Sourdough Bread']
  ]
  for (const [topic, title] of titles) {
    test(`the topic "${topic}" is headed "${title}"`, async () => {
      assert.equal((await write(topic)).title, title)
    })
  }

  test('a long topic is cut at a word, below 90 characters', async () => {
    const { title } = await write(`How tides work: ${'the moon and the sun and the shape of the coast and '.repeat(3)}`)
    assert.ok(title.length <= 90 && title.length >= 30, title)
    assert.doesNotMatch(title, / (and|the|of)$/i)
  })

  test('an excerpt is made of whole sentences and at most 200 characters long', async () => {
    for (const [topic, target_length] of topics) {
      const { excerpt } = await write(topic, { target_length })
      assert.ok(excerpt.length > 40 && excerpt.length <= 200, excerpt)
      assert.match(excerpt, /[.!]$/)
    }
  })
})

describe('the list of sources', () => {
  const sentences = Array.from(
    { length: 12 },
    (_, index) =>
      `The harbour at station ${'abcdefghijkl'[index]} ${['opens', 'closes', 'fills', 'rests'][index % 4]} with gate number ${index} of the old quay ${'xyz'[index % 3]}${index * 37}.`
  ).join(' ')

  test('links a source that has an address, and no other kind of address', async () => {
    const web = await write('harbour', { sources: [source(sentences, 'A [harbour]', 'https://example.org/a_(b)')] })
    assert.deepEqual(listOf(web), ['1. [A harbour](https://example.org/a_%28b%29)'])
    const script = await write('harbour', { sources: [source(sentences, 'A harbour', 'javascript:alert(1)')] })
    assert.deepEqual(listOf(script), ['1. A harbour'])
  })

  test('names a source without a title by its id', async () => {
    const draft = await write('harbour', { sources: [source(sentences, ' ')] })
    assert.deepEqual(listOf(draft), ['1. Untitled source (notes)'])
  })
})

describe('too little material', () => {
  const cases: readonly (readonly [name: string, topic: string, sources: readonly Source[]])[] = [
    ['no sources', 'How tides work', []],
    ['sources on other subjects', 'Medieval Japanese castle architecture', samples],
    ['sources that only mention a word of it', 'The history of Roman roads', samples],
    ['an empty text', 'Harbours', [source('')]],
    ['a single sentence', 'Harbours', [source('The harbour was built in the year 1820 by the town.')]]
  ]
  for (const [name, topic, sources] of cases) {
    test(`${name}: the draft is short, cites nothing and says what is missing`, async () => {
      const draft = await write(topic, { sources })
      assert.match(draft.content, /^No stored source covers “/)
      assert.match(draft.content, /galley memory store/)
      assert.ok(wordsOf(draft) < 100)
      assert.deepEqual(draft.source_ids, [])
    })
  }
})

describe('feedback', () => {
  const topic = 'How PostgreSQL keeps readers and writers apart'

  async function rewrite(feedback: string, about = topic, changes: Partial<Assignment> = {}): Promise<[Draft, Draft]> {
    const first = await write(about, changes)
    return [first, await write(about, { ...changes, feedback, previous: first })]
  }

  test('always changes the draft, even when all there is has been said', async () => {
    for (const about of [topic, 'How vaccines work']) {
      for (const feedback of [
        'I do not like it.',
        'Rewrite it from another angle',
        '🙂',
        'again',
        'Too long',
        'longer, please'
      ]) {
        const [first, second] = await rewrite(feedback, about, { target_length: 1500 })
        assert.notEqual(second.content, first.content, `${about}: ${feedback}`)
        assertNothingSaidTwice(second)
      }
    }
  })

  const lengths: readonly (readonly [feedback: string, change: (first: number, second: number) => boolean])[] = [
    ['Please make it shorter.', (first, second) => second < first * 0.9],
    ['This is far too long', (first, second) => second < first * 0.9],
    ['More detail, please', (first, second) => second > first * 1.1],
    ['Too short!', (first, second) => second > first * 1.1],
    ['About 400 words would do', (_, second) => second > 340 && second < 460]
  ]
  for (const [feedback, holds] of lengths) {
    test(`"${feedback}" changes the length`, async () => {
      const [first, second] = await rewrite(feedback)
      assert.ok(holds(wordsOf(first), wordsOf(second)), `${wordsOf(first)} words, then ${wordsOf(second)}`)
    })
  }

  test('brings in what it asks about', async () => {
    const [first, second] = await rewrite('Say more about deadlocks.')
    assert.ok(!headingsOf(first).includes('## Deadlocks'))
    assert.ok(headingsOf(second).includes('## Deadlocks'))
  })

  test('takes out what it asks to leave out, even when all there is had been said', async () => {
    const [first, second] = await rewrite('Leave out the autism claims.', 'How vaccines work', { target_length: 1500 })
    assert.match(bodyOf(first), /autism/)
    assert.doesNotMatch(bodyOf(second), /autism/)
  })
})

describe('sources that are hard to read', () => {
  const prose =
    'The harbour lies behind a wall of granite. Ships reach the harbour through a narrow gate at high water. Every harbour pilot carries a lamp and a book of depths.'

  const storms =
    'A storm from the south closes the harbour for days. Boats then wait behind the island, where the swell is low. The harbour master hoists two black balls on the mast as a warning. Nobody may leave a berth until the balls have come down.'

  const junk: readonly (readonly [name: string, text: string])[] = [
    ['one giant line', 'harbour '.repeat(100_000)],
    [
      '10,000 sentences',
      Array.from({ length: 10_000 }, (_, n) => `Harbour number ${n} keeps ${n * 7} boats in bay ${n % 97}.`).join(' ')
    ],
    ['nothing but stops', '. ! ? '.repeat(5000)],
    ['single letters with stops', 'A. '.repeat(30_000)],
    ['code left open', `${prose}\n\n\`\`\`js\n${'harbour()\n'.repeat(1000)}`],
    ['tags left open', '<script'.repeat(10_000)],
    ['comments left open', '<!--'.repeat(20_000)],
    ['brackets left open', '[a'.repeat(40_000)],
    ['lone surrogates and control characters', `${prose} \ud800 \u0000\u0007 ${prose}`],
    ['Russian', 'Пчёлы собирают нектар. Мёд получается из нектара. '.repeat(50)],
    ['Chinese', '港口位于花岗岩墙后面。船只在涨潮时进入港口。'.repeat(50)]
  ]
  for (const [name, text] of junk) {
    test(`${name}: a draft comes back all the same, and nothing is said twice`, async () => {
      for (const topic of ['harbour', 'Пчёлы', '港口'])
        assertNothingSaidTwice(await write(topic, { sources: [source(text)] }))
    })
  }

  const furniture: readonly (readonly [name: string, markdown: string, forbidden: RegExp])[] = [
    ['tables', '| harbour | depth |\n|---|---|\n| The harbour has ten gates. | 5 |', /ten gates/],
    ['code blocks', '```\nThe harbour has ten gates and a fence.\n```', /ten gates/],
    ['scripts', '<script>The harbour has ten gates and a fence.</script>', /ten gates/],
    ['front matter', '---\ntitle: The harbour has ten gates.\n---\n', /ten gates/],
    ['link addresses', 'The harbour has [ten gates](https://evil.example/x) made of iron.', /evil/],
    ['citations of the source itself', 'The harbour has ten gates made of iron.[7] Some say.[^3]', /\[7\]|\[\^3\]/],
    ['pictograms', 'The harbour has ten gates 🐟 made of iron!', /🐟/],
    [
      'pointers into the document',
      'As described above, the harbour has ten gates. It needs them all.',
      /ten gates|needs them/
    ],
    ['questions', 'Why does the harbour have ten gates?', /ten gates/]
  ]
  for (const [name, markdown, forbidden] of furniture) {
    test(`${name} are not quoted`, async () => {
      const text = `${markdown}\n\n## Walls\n\n${prose}\n\n## Storms\n\n${storms}`
      const draft = await write('harbour', { sources: [source(text)] })
      assert.deepEqual(draft.source_ids, ['notes'])
      assert.doesNotMatch(draft.content, forbidden)
    })
  }

  test('whatever the sources and the feedback, it never throws and never repeats a sentence', async () => {
    const fragment = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...(samples[0]?.text ?? '').split(/(?<=\.) /)) },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          '\n\n',
          '\n## ',
          '\n# ',
          '\n- ',
          '\n> ',
          '\n```\n',
          '| ',
          '\n---\n',
          '[1] ',
          '. ',
          '`'
        )
      },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) }
    )
    const sources = fc.array(
      fc.record({
        source_id: fc.uuid(),
        title: fc.oneof(fc.constant('Bicycle gears'), fc.string({ maxLength: 30 })),
        text: fc.array(fragment, { maxLength: 60 }).map(parts => parts.join(' ')),
        url: fc.option(fc.webUrl())
      }),
      { maxLength: 4 }
    )
    const topic = fc.oneof(
      fc.constant('How bicycle gears work'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
    )
    const feedback = fc.option(fc.oneof(fc.constantFrom('shorter', 'more on chains', 'without gears'), fc.string()))
    await fc.assert(
      fc.asyncProperty(
        topic,
        sources,
        feedback,
        fc.integer({ min: 200, max: 5000 }),
        async (about, given, said, target_length) => {
          const first = await write(about, { sources: given, target_length })
          assertNothingSaidTwice(first)
          assert.ok(first.title.length > 0 && first.title.length <= 90)
          const previous = said === null ? null : first
          assertNothingSaidTwice(await write(about, { sources: given, target_length, feedback: said, previous }))
        }
      ),
      { numRuns: 60, seed: 20261120 }
    )
  })
})

test('an aborted signal stops the writer before it starts', async () => {
  await assert.rejects(writer.write(assign('How tides work'), AbortSignal.abort()), { name: 'AbortError' })
})
