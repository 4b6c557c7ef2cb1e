import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { before, describe, test } from 'node:test'
import sharp from 'sharp'
import { runProgram } from '../../../../cli/framework/run.ts'
import { podcastCoverCommand } from '../../../../plugins/media/commands/podcast-cover.ts'
import type { CoverDesign } from '../../../../plugins/media/drawing/cover-design.ts'
import { coverText, isRightToLeft } from '../../../../plugins/media/drawing/cover-text.ts'
import { loadFonts } from '../../../../plugins/media/drawing/fonts.ts'
import { drawInBox, type TextBox } from '../../../../plugins/media/drawing/text-box.ts'
import { createPictureProcess } from '../../../../plugins/media/picture-process/picture-process.ts'
import { unforeseenDrawing } from '../../../../plugins/media/presentable.ts'
import { recordSession } from '../../../helpers/session.ts'

const pictures = createPictureProcess()
const design: CoverDesign = {
  format: 'post',
  template: 'plain',
  title: 'How tides follow the moon',
  category: 'Ocean science',
  site: 'The Tidal Review',
  language: 'en',
  fontFolder: ''
}
const draw = (changed: Partial<CoverDesign> = {}, by = pictures) =>
  by.make({ name: 'drawCover', input: { ...design, ...changed } })
const codesOf = (text: string) => [...text].map(each => each.codePointAt(0)?.toString(16)).join(' ')
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The share of dark pixels in a part of a cover. */
async function inkIn(bytes: Uint8Array, part: { left: number; top: number; width: number; height: number }) {
  const { data } = await sharp(bytes).extract(part).greyscale().raw().toBuffer({ resolveWithObject: true })
  return data.filter(value => value < 100).length / data.length
}

/** How much more red than blue each pixel has: the strong colour of each palette has much, and its others have little. */
async function pixelsOf({ bytes }: { bytes: Uint8Array }): Promise<number[]> {
  const data = await sharp(bytes).resize({ width: 600 }).raw().toBuffer()
  return Array.from({ length: data.length / 3 }, (_, at) => (data[at * 3] ?? 0) - (data[at * 3 + 2] ?? 0))
}

/** The same in the left and in the right half of where the title is. */
async function inkOf(bytes: Uint8Array): Promise<{ left: number; right: number }> {
  const half = { top: 125, width: 520, height: 200 }
  return { left: await inkIn(bytes, { ...half, left: 80 }), right: await inkIn(bytes, { ...half, left: 600 }) }
}

test('what the fonts cannot write takes the blank before a mark along', () => {
  const fonts = { has: (code: number) => code < 0x2000 }
  const rows = { 'High tide 🌊.': 'High tide.', '🎉 So: 🎉!': 'So:!', 'a 🌊 b': 'a b', 'Why ?': 'Why ?', '🌊': '' }
  const symbols = { 'HTTP/1 → HTTP/2': 'HTTP/1 HTTP/2', '1️⃣ Begin ①': '1 Begin', 'Tides ≥ 潮': '' }
  for (const [text, shown] of Object.entries({ ...rows, ...symbols })) assert.equal(coverText(text, fonts), shown)
})

test('the bundled fonts have arrows, signs of mathematics and common symbols', async () => {
  const text = 'HTTP/1 → HTTP/2: x ≤ y ≠ ∞, √2 ∈ ℝ ★☆ ✓ ✔ ✗ ♥ ⚠ ☕ ■ ● ▶ ⌘'
  assert.equal(coverText(text, await loadFonts('')), text)
})

describe('a cover', () => {
  for (const template of ['plain', 'band', 'frame', 'waves'])
    test(`of the template ${template} is 1200 × 630, and 3000 × 3000 in RGB for the podcast`, async () => {
      const post = await sharp((await draw({ template })).bytes).metadata()
      assert.deepEqual([post.format, post.width, post.height], ['jpeg', 1200, 630])
      const podcast = await sharp((await draw({ template, format: 'podcast' })).bytes).metadata()
      assert.deepEqual([podcast.format, podcast.width, podcast.height], ['jpeg', 3000, 3000])
      assert.deepEqual([podcast.space, podcast.channels, podcast.hasAlpha], ['srgb', 3, false])
    })

  for (const template of ['plain', 'band', 'frame', 'waves'])
    test(`of the template ${template} is drawn whatever stands on one letter`, async () => {
      const [title, category, site] = [
        `A${'\u0301'.repeat(100)}`,
        `A${'\u0301\u200d'.repeat(200)}`,
        '\u0301'.repeat(150)
      ]
      for (const format of ['post', 'film', 'podcast', 'short'] as const)
        assert.ok((await draw({ template, format, title, category, site })).bytes.length > 0, format)
    })

  for (const template of ['plain', 'band', 'frame', 'waves'])
    for (const format of ['post', 'podcast', 'film', 'short'] as const)
      test(`has no letter on the shapes in the strong colour: ${template}, ${format}`, async () => {
        const look = { template, format, category: 'Ocean science' }
        const blank = await pixelsOf(await draw({ ...look, title: '', label: '', site: '' }))
        const words = {
          title: 'Wonderfully wide words wait '.repeat(5),
          label: 'Sea '.repeat(40),
          site: 'Sea '.repeat(40)
        }
        const full = await pixelsOf(await draw({ ...look, ...words }))
        assert.equal(blank.filter((warmth, at) => warmth > 90 && (full[at] ?? 0) < warmth - 60).length, 0)
      })

  test('has no line that is taller than its place', async () => {
    const without = hashOf((await draw({ label: '' })).bytes)
    assert.equal(hashOf((await draw({ label: `A${'\u0301'.repeat(8)}` })).bytes), without)
    assert.notEqual(hashOf((await draw({ label: 'A\u0301\u0301' })).bytes), without)
  })

  test('is the same in every process', async () => {
    const first = await draw()
    const second = await draw({}, createPictureProcess())
    assert.equal(hashOf(first.bytes), hashOf(second.bytes))
  })

  test('has another look for another template, title and category', async () => {
    const changes = [{}, { template: 'band' }, { title: 'How tides work' }, { category: 'Physics' }]
    const hashes = await Promise.all(changes.map(async change => hashOf((await draw(change)).bytes)))
    assert.equal(new Set(hashes).size, 4)
  })

  test('has no title rather than boxes where the fonts lack its script', async () => {
    const without = hashOf((await draw({ title: '' })).bytes)
    for (const title of ['潮汐如何跟随月亮', '조수는 달을 따른다', 'Tides 潮汐', '🌊🌙', '\u{10330}'])
      assert.equal(hashOf((await draw({ title })).bytes), without, title)
    assert.equal(hashOf((await draw({ title: '🌊 Tides 🌙' })).bytes), hashOf((await draw({ title: 'Tides' })).bytes))
  })

  test('shows what follows characters that nobody sees, and nothing where there are only such', async () => {
    const shown = hashOf((await draw({ title: 'Zulu' })).bytes)
    const without = hashOf((await draw({ title: '', label: '', site: '' })).bytes)
    for (const unseen of ['\u200b\u200d', '\u200b\u200b\u200b\u2060', '\u00ad\u00ad\u3164', '\u{e0001}\ufe0f\u034f']) {
      assert.equal(hashOf((await draw({ title: `${unseen} Zulu` })).bytes), shown, codesOf(unseen))
      const alone = { title: unseen, label: `${unseen} `, site: unseen }
      assert.equal(hashOf((await draw(alone)).bytes), without, codesOf(unseen))
    }
    for (const title of ['\u0301', '\u0301\u0302\u0303 Zulu', '\u05b0\u05b1', '\u064e'])
      assert.equal((await draw({ title })).width, 1200, codesOf(title))
  })

  test('reads from the right in Arabic and in Hebrew', async () => {
    const left = await inkOf((await draw({ title: 'Tides' })).bytes)
    assert.ok(left.left > 0.02 && left.right === 0, JSON.stringify(left))
    for (const title of ['المد', 'גאות']) {
      const { bytes } = await draw({ title })
      const right = await inkOf(bytes)
      assert.ok(
        (await inkIn(bytes, { left: 900, top: 520, width: 220, height: 60 })) > 0.01,
        'the site is on the right'
      )
      assert.ok(right.right > 0.01 && right.left === 0, `${title} ${JSON.stringify(right)}`)
    }
  })

  test('shows a title of 300 characters, of one word, and with markup in it', async () => {
    for (const title of ['The sea and the moon. '.repeat(14), 'Tide'.repeat(75), '<b>&amp;</b> "x" </span>', '…'])
      assert.ok((await inkOf((await draw({ title })).bytes)).left > 0.001, title)
  })
})

describe('a text in its box', () => {
  const box: TextBox = {
    x: 0,
    y: 0,
    width: 1000,
    height: 100,
    align: 'start',
    anchor: 'top',
    sizes: [30],
    maxLines: 1,
    colour: '#000',
    weight: 'Bold'
  }
  const page = { language: 'en', isFromRight: false }
  before(() => loadFonts(''))

  test('is left out where it has no ink', async () => {
    for (const blank of ['\u200b', '\u00a0', '   ', '\u200d\u2060'])
      assert.equal((await drawInBox(blank, page, box)).length, 0, codesOf(blank))
    assert.equal((await drawInBox('A', page, box)).length, 1)
  })

  test('is not left out for a fault of anything else', async () => {
    // The font library refuses this size.
    await assert.rejects(drawInBox('A', page, { ...box, sizes: [100_000] }))
  })
})

test('a drawing that fails says why in the first line of its cause, without paths of the machine', async () => {
  await assert.rejects(draw({ template: 'none' }), {
    name: 'DrawingError',
    message: /^A cover could not be drawn: the log of the service/
  })
  const draws = podcastCoverCommand({ draw: async () => assert.fail(`${(await draw({ template: 'none' })).width}`) })
  const media = { describe: 'Media', load: async () => ({ 'podcast-cover': draws }) }
  const session = recordSession()
  const status = await runProgram(
    { name: 'galley', version: '0', program: { media } },
    ['media', 'podcast-cover'],
    session
  )
  const said = 'A cover could not be drawn (There is no cover template none): change its texts or its settings'
  assert.deepEqual([status, session.err.join('\n')], [1, `error: ${said}, and draw it again.`])
  const { detail } = unforeseenDrawing(new Error("Cannot find '/srv/galley/a.js'\n    at file:///srv/galley/b.js:1"))
  assert.match(detail ?? '', /\(Cannot find '…'\)/)
})

test('a folder of fonts that is no use is named', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-fonts-test-'))
  try {
    const missing = path.join(folder, 'none')
    await assert.rejects(draw({ fontFolder: missing }), {
      code: 'SERVICE_UNAVAILABLE',
      message: `The folder of fonts ${missing} cannot be read: check it, or change cover_fonts.`
    })
    writeFileSync(path.join(folder, 'junk.ttf'), 'no font')
    await assert.rejects(draw({ fontFolder: folder }), {
      code: 'SERVICE_UNAVAILABLE',
      message: /junk\.ttf cannot be read/
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a text on a cover has no line breaks or direction marks of its own, and no pictures', async () => {
  const fonts = await loadFonts('')
  const cases = [
    ['One\n two\u202e  three', 'One two three'],
    ['Tides 👩‍👩‍👧 and 🇩🇪 flags', 'Tides and flags'],
    ['© 2026 Ada', '© 2026 Ada'],
    ['e\u0301', 'é'],
    [`x${'\u0301'.repeat(100)}y`, `x${'\u0301'.repeat(8)}y`],
    ['می‌خواهم', 'می‌خواهم'],
    ['Łódź Ελλάδα Київ', 'Łódź Ελλάδα Київ'],
    ['潮', '']
  ] as const
  for (const [text, shown] of cases) assert.equal(coverText(text, fonts), shown)
  const titles = ['2026: גאות', '🌊 مد', 'Tide גאות', 'しお גאות', '조수 מים', '2026']
  assert.deepEqual(titles.map(isRightToLeft), [true, true, false, false, false, false])
})
