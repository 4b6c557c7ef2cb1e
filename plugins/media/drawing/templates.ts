import type { Palette } from './palettes.ts'
import type { TextBox } from './text-box.ts'

/** A cover before its texts are set: the shapes behind them, and their places. */
export interface CoverLayout {
  /** Shapes as SVG, without text. */
  svg: string
  title: TextBox
  category: TextBox
  site: TextBox
}

/** Lengths are in units of 1/1200 of the width; `height` is 630 for a post and 1200 for a podcast. */
type CoverTemplate = (palette: Palette, height: number) => CoverLayout

const width = 1200
const titleSizes = [88, 78, 68, 60, 54, 48, 42, 38, 34]
/** The square cover of a podcast is seen small: its title is larger. */
const isSquare = (height: number) => height > 700
const margin = 80

const line = (box: Partial<TextBox> & Pick<TextBox, 'y' | 'colour'>): TextBox => ({
  x: margin,
  width: width - 2 * margin,
  height: 44,
  align: 'start',
  anchor: 'middle',
  sizes: [30],
  maxLines: 1,
  weight: 'Regular',
  ...box
})

const titleBox = (box: Partial<TextBox> & Pick<TextBox, 'y' | 'height' | 'colour'>): TextBox => ({
  ...line(box),
  sizes: isSquare(box.height) ? titleSizes.map(size => size * 2) : titleSizes,
  maxLines: 4,
  weight: 'Bold',
  ...box
})

const plain: CoverTemplate = ({ paper, ink, accent, soft }, height) => ({
  svg: `<rect width="1200" height="${height}" fill="${paper}"/>
    <circle cx="1120" cy="${height - 40}" r="230" fill="${soft}" opacity="0.35"/>
    <circle cx="960" cy="${height + 60}" r="150" fill="${accent}" opacity="0.85"/>
    <rect width="1200" height="18" fill="${accent}"/>`,
  category: line({ y: 56, colour: ink }),
  title: titleBox({ y: 122, height: height - 258, colour: ink, anchor: 'middle' }),
  site: line({ y: height - 104, width: 700, colour: ink, weight: 'Bold' })
})

const band: CoverTemplate = ({ paper, deep, accent, soft }, height) => {
  const corner = Math.min(height, width)
  // A larger one would lie under the title, and the category ends before it.
  const accentCorner = 189
  return {
    svg: `<rect width="1200" height="${height}" fill="${deep}"/>
      <rect y="${height - 120}" width="1200" height="120" fill="${paper}"/>
      <rect y="${height - 132}" width="1200" height="12" fill="${accent}"/>
      <path d="M1200 0 v${corner * 0.55} L${1200 - corner * 0.55} 0 z" fill="${soft}" opacity="0.14"/>
      <path d="M1200 0 v${accentCorner} L${1200 - accentCorner} 0 z" fill="${accent}" opacity="0.9"/>`,
    category: line({ y: 50, width: 940, colour: soft }),
    title: titleBox({ y: 118, height: height - 280, colour: paper, anchor: 'middle' }),
    site: line({ y: height - 82, colour: deep, weight: 'Bold' })
  }
}

const frame: CoverTemplate = ({ paper, ink, accent, deep }, height) => ({
  svg: `<rect width="1200" height="${height}" fill="${deep}"/>
    <rect x="28" y="28" width="1144" height="${height - 56}" fill="${paper}"/>
    <rect x="46" y="46" width="1108" height="${height - 92}" fill="none" stroke="${accent}" stroke-width="4"/>
    <rect x="550" y="${height - 134}" width="100" height="6" fill="${accent}"/>`,
  category: line({ y: 78, colour: ink, align: 'centre' }),
  title: titleBox({ x: 110, width: 980, y: 140, height: height - 296, colour: ink, anchor: 'middle', align: 'centre' }),
  site: line({ y: height - 114, colour: ink, align: 'centre', weight: 'Bold' })
})

const waves: CoverTemplate = ({ paper, deep, accent, soft }, height) => {
  const wave = (y: number, rise: number) =>
    `M0 ${y} C 300 ${y - rise}, 500 ${y + rise}, 780 ${y} S 1080 ${y - rise}, 1200 ${y - rise / 2} V ${height} H 0 z`
  return {
    svg: `<defs><linearGradient id="sky" x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stop-color="${deep}"/><stop offset="1" stop-color="${deep}" stop-opacity="0.8"/>
      </linearGradient></defs>
      <rect width="1200" height="${height}" fill="#0b1118"/><rect width="1200" height="${height}" fill="url(#sky)"/>
      <path d="${wave(height - 110, 60)}" fill="${soft}" opacity="0.35"/>
      <path d="${wave(height - 80, 50)}" fill="${accent}" opacity="0.9"/>
      <path d="${wave(height - 50, 40)}" fill="${paper}"/>`,
    category: line({ y: 50, colour: soft }),
    title: titleBox({ y: 116, height: height - 326, colour: paper, anchor: 'middle' }),
    site: line({ y: height - 196, colour: paper, weight: 'Bold' })
  }
}

export const coverTemplates: Readonly<Record<string, CoverTemplate>> = { plain, band, frame, waves }
