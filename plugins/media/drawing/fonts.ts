import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { createFontCoverage, type FontCoverage } from './font-coverage.ts'

const packaged = (name: string, files: readonly string[]): string[] =>
  files.map(file => fileURLToPath(new URL(`../fonts/${file}`, import.meta.resolve(`@embedpdf/fonts-${name}`))))

const resolved = (file: string): string => fileURLToPath(import.meta.resolve(`@expo-google-fonts/${file}`))

/** Noto, its letters in two weights. Further scripts come from the operator's folder. */
const bundledFonts = (): string[] => [
  ...packaged('latin', ['NotoSans-Bold.ttf', 'NotoSans-Regular.ttf']),
  ...packaged('arabic', ['NotoNaskhArabic-Bold.ttf', 'NotoNaskhArabic-Regular.ttf']),
  ...packaged('hebrew', ['NotoSansHebrew-Bold.ttf', 'NotoSansHebrew-Regular.ttf']),
  resolved('noto-sans-math/400Regular/NotoSansMath_400Regular.ttf'),
  resolved('noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf')
]

/** The families in the order they are asked for a glyph. Those of the operator's folder follow. */
export const fontFamilies = 'Noto Sans, Noto Naskh Arabic, Noto Sans Hebrew, Noto Sans Math, Noto Sans Symbols 2'

/** A folder or a file of the operator's that is no use; `message` says which, and what to do. */
export class FontError extends Error {
  override readonly name = 'FontError'
}

const maxFonts = 20
let isIsolated = false
const loaded = new Set<string>()
const coverage = createFontCoverage()

/** Loads the bundled fonts, and those of a folder unless it is empty, once. @returns what they have glyphs for */
export async function loadFonts(folder: string): Promise<FontCoverage> {
  for (const file of [...bundledFonts(), ...fontsIn(folder)]) {
    if (!loaded.has(file)) await loadFont(file)
    loaded.add(file)
  }
  return coverage
}

async function loadFont(file: string): Promise<void> {
  try {
    // Loaded first: what a font that cannot be loaded says it has would be drawn as boxes.
    await withoutSystemFonts(() => sharp({ text: { text: 'x', fontfile: file } }).toBuffer())
    coverage.add(readFileSync(file))
  } catch (cause) {
    throw new FontError(`The font ${file} cannot be read: remove it, or change cover_fonts.`, { cause })
  }
}

function fontsIn(folder: string): string[] {
  if (folder === '') return []
  const names = namesIn(folder).filter(name => /\.(ttf|otf)$/i.test(name))
  return names
    .sort()
    .slice(0, maxFonts)
    .map(name => path.join(folder, name))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (cause) {
    throw new FontError(`The folder of fonts ${folder} cannot be read: check it, or change cover_fonts.`, { cause })
  }
}

/**
 * A cover looks the same on every machine: only the fonts given are used. Fontconfig reads its configuration at the first
 * text, and looks for the machine's fonts where it finds none.
 */
async function withoutSystemFonts(drawFirstText: () => Promise<unknown>): Promise<void> {
  if (isIsolated) {
    await drawFirstText()
    return
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), 'galley-fonts-'))
  try {
    const file = path.join(folder, 'fonts.conf')
    writeFileSync(file, '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>')
    process.env.FONTCONFIG_FILE = file
    await drawFirstText()
    isIsolated = true
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
