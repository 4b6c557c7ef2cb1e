import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { callInProcess, LongCallError } from '#child-process/long-call'
import { InputError, UnavailableError } from '#core'
import type { SourceItem } from '../source-post.ts'

/** What a reader is given: the export, and the file that it writes its items to. */
export interface StageRequest {
  file: string
  target: string
  /** Address of the site, where whoever imports says it. */
  siteUrl: string | null
}

/** What a reader answers. */
export interface StageSummary {
  items: number
  /** Addresses of pictures that posts name by number. */
  pictures: Record<string, readonly string[]>
  /** Address of the site; null where the export does not say it. */
  siteUrl: string | null
}

/** An export that was read: its items, in a file of ours. */
export interface StagedExport extends StageSummary {
  read(): AsyncIterable<SourceItem>
  remove(): Promise<void>
}

export interface StageOptions {
  /** For files that are gone when the import ends. */
  workFolder: string
  siteUrl: string | null
  signal: AbortSignal
  onProgress(share: number): void
}

/** An export of 2 GB takes some minutes. */
const timeoutMs = 60 * 60_000
const heapMb = 1_024
/** What a killed process left behind. */
const maxAgeMs = 24 * 60 * 60_000

/**
 * Reads an export in a process of its own, which writes what it finds into a file: whatever is wrong with the export ends that
 * process, and no memory holds all posts. @throws InputError for an export that cannot be read
 */
export async function stageExport(
  reader: { module: URL; name: string },
  file: string,
  { workFolder, siteUrl, signal, onProgress }: StageOptions
): Promise<StagedExport> {
  await requireFile(file)
  await mkdir(workFolder, { recursive: true, mode: 0o700 })
  await removeOld(workFolder)
  const folder = await mkdtemp(path.join(workFolder, 'export-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  const target = path.join(folder, 'items')
  try {
    const input: StageRequest = { file, target, siteUrl }
    const request = { module: reader.module.href, name: reader.name, input }
    const summary = await callInProcess<StageSummary>(request, { signal, timeoutMs, heapMb, onProgress })
    return { ...summary, read: () => readItems(target), remove }
  } catch (error) {
    await remove()
    throw error instanceof LongCallError ? faultOf(error, workFolder) : error
  }
}

function faultOf({ code, message }: LongCallError, workFolder: string): Error {
  if (code !== 'ENOSPC') return unreadable(message)
  return new UnavailableError(
    `The disk of ${workFolder} is full: an export needs its own size there while it is imported. Make room, and try again.`
  )
}

async function requireFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found === null) throw unreadable('it does not exist')
  if (!found.isFile()) throw unreadable('it is not a regular file')
}

const unreadable = (why: string): InputError =>
  new InputError({ file: `cannot be read: ${why}` }, `The export cannot be read: ${why}.`)

async function removeOld(workFolder: string): Promise<void> {
  for (const name of await readdir(workFolder)) {
    const folder = path.join(workFolder, name)
    const found = await stat(folder).catch(() => null)
    if (found !== null && Date.now() - found.mtimeMs > maxAgeMs) await rm(folder, { recursive: true, force: true })
  }
}

async function* readItems(target: string): AsyncIterable<SourceItem> {
  // Written by our own process, a line before.
  for await (const line of createInterface({ input: createReadStream(target) })) {
    const item: SourceItem = JSON.parse(line)
    yield item
  }
}
