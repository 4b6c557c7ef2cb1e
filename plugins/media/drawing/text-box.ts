import sharp, { type Channels } from 'sharp'
import { graphemesOf } from '#text/graphemes'
import { fontFamilies } from './fonts.ts'

/** Where a text goes. Lengths are in pixels of the cover. */
export interface TextBox {
  x: number
  y: number
  width: number
  height: number
  /** `start` is the right-hand side on a cover that reads from the right. */
  align: 'start' | 'centre'
  anchor: 'top' | 'middle' | 'bottom'
  /** Tried from the largest on. */
  sizes: readonly number[]
  maxLines: number
  colour: string
  weight: 'Bold' | 'Regular'
}

/** How the cover reads, as its title does. */
export interface PageDirection {
  language: string
  isFromRight: boolean
}

/** A text as pixels, at its place. */
export interface PlacedText {
  input: Buffer
  raw: { width: number; height: number; channels: Channels }
  left: number
  top: number
}

interface DrawnText {
  data: Buffer
  width: number
  height: number
  channels: Channels
}

/**
 * Draws a text as large as its box allows, and shortens one that is too long for the smallest size. One that cannot be drawn is left
 * out: a font of the operator's may have blank glyphs only for it, or its first letter is larger than the box.
 */
export async function drawInBox(text: string, page: PageDirection, box: TextBox): Promise<PlacedText[]> {
  if (text === '') return []
  const draw = (shown: string, size: number) => drawText(shown, page.language, size, box)
  const sample = graphemesOf(text).slice(0, 3).join('')
  try {
    const drawn = await drawFitting({ text, sample }, box, draw)
    return isLarger(drawn, box) ? [] : [place(drawn, page, box)]
  } catch (error) {
    // The library says only in English that there is no ink. Any other fault may pass: a cover without its text would stay.
    if (await hasInk(sample, draw)) throw error
    return []
  }
}

async function drawFitting({ text, sample }: SampledText, box: TextBox, draw: Draw): Promise<DrawnText> {
  const fits = await createFit(sample, box, draw)
  for (const size of box.sizes) {
    const drawn = await draw(text, size)
    if (fits(drawn, size)) return drawn
  }
  return drawShortened(text, box, draw, fits)
}

/** `sample`: its first letters. */
interface SampledText {
  text: string
  sample: string
}

/** Ink may stand a little beyond the width that lines are broken at. */
const maxOverhang = 1.02
const isLarger = ({ width, height }: DrawnText, box: TextBox): boolean =>
  height > box.height || width > box.width * maxOverhang

const visible = '…'
const visibleSize = 30

/** Whether a text adds anything to what is seen. */
async function hasInk(text: string, draw: Draw): Promise<boolean> {
  const alone = await draw(visible, visibleSize)
  const drawn = await draw(`${visible}${text}`, visibleSize)
  return !alone.data.equals(drawn.data)
}

type Draw = (text: string, size: number) => Promise<DrawnText>
type Fits = (drawn: DrawnText, size: number) => boolean

/** The height of a line is measured, because every script has its own. */
async function createFit(sample: string, box: TextBox, draw: Draw): Promise<Fits> {
  const [measured = 1] = box.sizes
  const one = await draw(sample, measured)
  const two = await draw(`${sample}\n${sample}`, measured)
  const lineHeight = (two.height - one.height) / measured
  return (drawn, size) => {
    const lines = 1 + Math.round((drawn.height - (one.height * size) / measured) / (lineHeight * size))
    return lines <= box.maxLines && !isLarger(drawn, box)
  }
}

async function drawShortened(text: string, box: TextBox, draw: Draw, fits: Fits): Promise<DrawnText> {
  const graphemes = graphemesOf(text)
  const size = box.sizes.at(-1) ?? 1
  const shortened = (length: number) => draw(`${graphemes.slice(0, length).join('').trimEnd()}${visible}`, size)
  let fitting = 1
  let tooLong = graphemes.length
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2)
    if (fits(await shortened(middle), size)) fitting = middle
    else tooLong = middle
  }
  return shortened(fitting)
}

async function drawText(text: string, language: string, size: number, box: TextBox): Promise<DrawnText> {
  const markup = `<span foreground="${box.colour}" lang="${escapeMarkup(language)}">${escapeMarkup(text)}</span>`
  const { data, info } = await sharp({
    text: {
      text: markup,
      font: `${fontFamilies} ${box.weight} ${size}`,
      width: Math.round(box.width),
      align: box.align === 'centre' ? 'centre' : 'left',
      wrap: 'word-char',
      rgba: true,
      // So that sizes are pixels.
      dpi: 72
    }
  })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeMarkup = (text: string): string => text.replaceAll(/[&<>"]/g, each => entities[each] ?? each)

function place(drawn: DrawnText, { isFromRight }: PageDirection, box: TextBox): PlacedText {
  const free = { x: box.width - drawn.width, y: box.height - drawn.height }
  const start = isFromRight ? free.x : 0
  const across = box.align === 'centre' ? free.x / 2 : start
  const down = { top: 0, middle: free.y / 2, bottom: free.y }[box.anchor]
  const { data: input, width, height, channels } = drawn
  return { input, raw: { width, height, channels }, left: Math.round(box.x + across), top: Math.round(box.y + down) }
}
