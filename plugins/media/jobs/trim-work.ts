import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Db, type Job, job, jobType, type Settings } from '#core'
import { listPostsInWork } from '../repository/jobs.ts'
import type { MediaSettings } from '../settings.ts'
import { filmPrefix, type Home, isHalfWritten, removeWorkFolder, workFolderOf, workRoot } from './work-folder.ts'

export interface TrimDeps {
  db: Db
  installation: Home
  settings: Pick<Settings<MediaSettings>, 'get'>
  now: () => Date
}

/** The spoken pieces of texts that nobody worked on for so long are of no use. */
const maxAgeMs = 30 * 86_400_000

/**
 * Removes what killed processes left unfinished, finished films that no job goes on with, the spoken pieces that lie there too
 * long, and then those used longest ago, until the others take no more than `speech_cache_mb`. Those that a job needs stay. One
 * that begins meanwhile may lose some: it is tried again, and makes them.
 */
export async function trimWork({ db, installation, settings, now }: TrimDeps): Promise<void> {
  const inUse = new Set(await listPostsInWork(db))
  const idle = (await usages(workRoot(installation))).filter(({ post_id }) => !inUse.has(post_id))
  let room = settings.get('speech_cache_mb') * 1_000_000
  for (const { post_id } of idle) await removeUnfinished(installation, post_id)
  for (const { post_id, bytes, usedAt } of idle.sort((one, other) => other.usedAt - one.usedAt)) {
    const stays = bytes <= room && usedAt > now().getTime() - maxAgeMs
    if (stays) room -= bytes
    else await removeWorkFolder(installation, post_id)
  }
}

async function removeUnfinished(installation: Home, post_id: string): Promise<void> {
  const folder = workFolderOf(installation, post_id)
  const left = (await namesIn(folder)).filter(name => name.startsWith(filmPrefix) || isHalfWritten(name))
  for (const name of left) await rm(path.join(folder, name), { recursive: true, force: true })
}

const WorkTrim = jobType<Record<string, never>>('media.trim_work')

/** Jobs that fail trim nothing, and what is too old becomes so by itself. */
export const trimJob = (deps: TrimDeps): Job => job(WorkTrim, () => trimWork(deps), { cron: '37 * * * *' })

/** What lies in the work folder of a post. */
interface Usage {
  post_id: string
  bytes: number
  usedAt: number
}

async function usages(root: string): Promise<Usage[]> {
  const found: Usage[] = []
  for (const post_id of await namesIn(root)) {
    const folder = path.join(root, post_id)
    let bytes = 0
    for (const name of await namesIn(folder)) bytes += (await statOf(path.join(folder, name)))?.size ?? 0
    found.push({ post_id, bytes, usedAt: (await statOf(folder))?.mtimeMs ?? 0 })
  }
  return found
}

/** None of a folder that is gone by then. */
const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])
const statOf = (file: string) => stat(file).catch(() => undefined)
