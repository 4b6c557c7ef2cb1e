import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { textOf } from './export-text.ts'

/** The same site, made by Eleventy. `whole`: all that galley's pages have. `minimal`: pages of posts in a layout of one line. */
export type EleventyKind = 'whole' | 'minimal'

const minimalLayout =
  '<!doctype html><html lang="en"><head><title>{{ title }}</title></head><body><h1>{{ title }}</h1>{{ content | safe }}</body></html>'

export interface BuildTimes {
  readonly ms: number
  readonly cpuMs: number
}

/** Builds it in a folder below `folder`. `installed` has Eleventy in `node_modules`. @returns the time of the build, and its processor time, in ms */
export async function buildWithEleventy(
  { folder, installed }: { folder: string; installed: string },
  kind: EleventyKind,
  posts: number
): Promise<BuildTimes> {
  const source = mkdtempSync(path.join(folder, 'eleventy-'))
  if (kind === 'whole') cpSync(path.join(import.meta.dirname, 'eleventy'), source, { recursive: true })
  else writeMinimal(source)
  symlinkSync(path.join(installed, 'node_modules'), path.join(source, 'node_modules'))
  mkdirSync(path.join(source, 'posts'), { recursive: true })
  for (let n = 1; n <= posts; n++) writeFileSync(path.join(source, 'posts', `tides-${n}.md`), postOf(n))
  return run(source)
}

function writeMinimal(source: string): void {
  mkdirSync(path.join(source, '_includes'))
  mkdirSync(path.join(source, 'posts'))
  writeFileSync(path.join(source, '_includes', 'post.njk'), minimalLayout)
  writeFileSync(path.join(source, 'posts', 'posts.json'), '{ "layout": "post.njk" }')
  writeFileSync(path.join(source, 'eleventy.config.js'), 'module.exports = () => ({ markdownTemplateEngine: false })')
}

/** As `insertPosts` in export.ts has them. */
function postOf(n: number): string {
  const date = new Date(Date.UTC(2026, 0, 1) - n * 3 * 3_600_000).toISOString()
  const head = {
    title: `Post ${n}`,
    excerpt: 'Why the sea rises',
    date,
    category: `c${n % 20}`,
    labels: [`t${n % 200}`]
  }
  return `---json\n${JSON.stringify(head)}\n---\n${textOf(n)}\n`
}

/** Written to the third descriptor at the end of the process. */
const printTimes = `data:text/javascript,import{writeSync}from'node:fs';process.on('exit',()=>writeSync(3,JSON.stringify(process.cpuUsage())))`

async function run(source: string): Promise<BuildTimes> {
  const begun = performance.now()
  const program = path.join(source, 'node_modules/@11ty/eleventy/cmd.cjs')
  const build = spawn(process.execPath, ['--import', printTimes, program, '--quiet'], {
    cwd: source,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe']
  })
  const output = text(build.stdio[3] as NodeJS.ReadableStream)
  const [code] = await once(build, 'exit')
  if (code !== 0) throw new Error(`Eleventy ended with ${code}.`)
  const ms = performance.now() - begun
  const { user, system } = JSON.parse(await output)
  return { ms, cpuMs: (user + system) / 1000 }
}
