import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import path from 'node:path'
import { isRunning } from '../../cli/backup/write-file.ts'

const memory = '/dev/shm'
/** A run needs less than half of it. */
const minMemoryDiskBytes = 4 * 1024 ** 3
const minFreeMemoryBytes = 8 * 1024 ** 3

const prefix = 'galley-suite-'

/**
 * A folder for the temporary files of one run. It is in memory where there is room: the suite makes hundreds of data folders
 * with 400 files each, which takes a third of the time of some tests on a disk.
 */
export function makeTemporaryFolder(): { folder: string; remove(): void } {
  const parent = process.env.TMPDIR === undefined && hasRoomInMemory() ? memory : tmpdir()
  removeAbandoned(parent)
  const folder = mkdtempSync(path.join(parent, `${prefix}${process.pid}-`))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function hasRoomInMemory(): boolean {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= minMemoryDiskBytes && freemem() >= minFreeMemoryBytes
}

/** What a run that was killed left, whose process is gone. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1])
    if (pid > 0 && !isRunning(pid)) removeUnlessMounted(path.join(parent, name))
  }
}

/** Tests of full disks mount some: what a killed one left mounted must not keep others from running. */
function removeUnlessMounted(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    console.warn(`${folder} cannot be removed: unmount what is mounted in it.`)
  }
}

/** What may stay from one run to the next: snapshots of empty databases. */
export function cacheFolder(): string {
  const folder = process.env.TEST_CACHE_FOLDER ?? path.join(tmpdir(), `galley-test-${process.getuid?.() ?? 0}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}
