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
 * out: a font of the operator's may have blank glyphs only for it.
 */
export async function drawInBox(text: string, page: PageDirection, box: TextBox): Promise<PlacedText[]> {
  if (text === '') return []
  const draw = (shown: string, size: number) => drawText(shown, page.language, size, box)
  try {
    return [await drawFitting(text, page, box, draw)]
  } catch {
    // A fault of more than this text is met here, too.
    await draw('…', 30)
    return []
  }
}

async function drawFitting(text: string, page: PageDirection, box: TextBox, draw: Draw): Promise<PlacedText> {
  const fits = await createFit(text, box, draw)
  for (const size of box.sizes) {
    const drawn = await draw(text, size)
    if (fits(drawn, size)) return place(drawn, page, box)
  }
  return place(await drawShortened(text, box, draw, fits), page, box)
}

type Draw = (text: string, size: number) => Promise<DrawnText>
type Fits = (drawn: DrawnText, size: number) => boolean

/** The height of a line is measured, because every script has its own. */
async function createFit(text: string, box: TextBox, draw: Draw): Promise<Fits> {
  const [measured = 1] = box.sizes
  const sample = graphemesOf(text).slice(0, 3).join('')
  const one = await draw(sample, measured)
  const two = await draw(`${sample}\n${sample}`, measured)
  const lineHeight = (two.height - one.height) / measured
  return ({ height }, size) => {
    const lines = 1 + Math.round((height - (one.height * size) / measured) / (lineHeight * size))
    return lines <= box.maxLines && height <= box.height
  }
}

async function drawShortened(text: string, box: TextBox, draw: Draw, fits: Fits): Promise<DrawnText> {
  const graphemes = graphemesOf(text)
  const size = box.sizes.at(-1) ?? 1
  const shortened = (length: number) => draw(`${graphemes.slice(0, length).join('').trimEnd()}…`, size)
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
