import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { packageRoot } from '../core/paths.ts'
import type { CoverDesign } from '../plugins/media/drawing/cover-design.ts'
import { createPictureProcess } from '../plugins/media/picture-process/picture-process.ts'

/**
 * `node bench/covers.ts` measures how long covers take, asked for as the jobs do, in the child process. With `--gallery` it
 * writes the pictures of docs/covers.md instead.
 */
const pictures = createPictureProcess()
const design: CoverDesign = {
  format: 'post',
  template: 'plain',
  title: 'How tides follow the moon, and why the sea rises twice a day',
  category: 'Ocean science',
  site: 'The Tidal Review',
  language: 'en',
  fontFolder: ''
}
const draw = (changed: Partial<CoverDesign>) => pictures.make({ name: 'drawCover', input: { ...design, ...changed } })

const templates = ['plain', 'band', 'frame', 'waves']
const arabic = 'كيف يتبع المد القمر ولماذا يرتفع البحر مرتين في اليوم'
const podcast = { format: 'podcast', title: 'The Tidal Review', category: 'Science', site: '' } as const

if (process.argv.includes('--gallery')) await writeGallery()
else await measure()

async function writeGallery(): Promise<void> {
  const folder = path.join(packageRoot, 'docs/covers')
  await mkdir(folder, { recursive: true })
  const pages: Record<string, Partial<CoverDesign>> = {
    ...Object.fromEntries(templates.map(template => [template, { template }])),
    arabic: { template: 'waves', title: arabic, category: 'علوم البحار', site: 'مجلة المد', language: 'ar' },
    podcast: { template: 'frame', ...podcast },
    film: { template: 'band', format: 'film', label: design.title, title: 'What the moon does' },
    short: {
      template: 'waves',
      format: 'short',
      title: 'Twice a day the sea rises, and the reason is the moon above it.'
    }
  }
  for (const [name, changed] of Object.entries(pages)) {
    const { bytes } = await draw(changed)
    const small = sharp(bytes)
      .resize({ height: changed.format === 'short' ? 420 : 252 })
      .webp({ quality: 82, effort: 6 })
    await writeFile(path.join(folder, `${name}.webp`), await small.toBuffer())
  }
}

async function measure(): Promise<void> {
  const begun = performance.now()
  await draw({})
  console.log(`first cover of a process: ${Math.round(performance.now() - begun)} ms`)
  const cases: Record<string, Partial<CoverDesign>> = {
    ...Object.fromEntries(templates.map(template => [template, { template }])),
    'Arabic title': { title: arabic },
    '300 characters': { title: 'The sea and the moon. '.repeat(14).slice(0, 300) },
    'podcast, 3000 × 3000': podcast
  }
  for (const [name, changed] of Object.entries(cases)) {
    const times: number[] = []
    let size = 0
    for (let round = 0; round < 15; round++) {
      const at = performance.now()
      size = (await draw(changed)).bytes.length
      times.push(performance.now() - at)
    }
    times.sort((a, b) => a - b)
    const median = times[7] ?? 0
    const last = times[14] ?? 0
    console.log(
      `${name}: median ${Math.round(median)} ms, slowest ${Math.round(last)} ms, ${Math.round(size / 1000)} kB`
    )
  }
}
