import { createBoundedMap } from '#core'
import type { OpenFile } from '#plugins/storage'

/** Files that stay open between requests: opening and closing one takes three times as long as reading a part. */
export interface OpenFileCache {
  /** A file that was there within the last second. Begin to read it at once: later it may be closed. */
  find(id: string): OpenFile | undefined
  /** Compares a file with one that was opened just now, and closes it when it is another. @returns whether it stays open */
  compare(id: string, etag: string): boolean
  /** Opens a file, unless it is being opened, and closes it later. */
  add(id: string, open: () => Promise<OpenFile | null>): Promise<void>
}

interface Entry {
  file: OpenFile
  comparedAt: number
  /** Removes it. */
  timer: NodeJS.Timeout
}

/** A process may have some thousands open, and its connections need most of them. */
const maxFiles = 128
/** A file that was deleted takes room on its disk until it is closed. */
const closedAfterMs = 5000

export function createOpenFileCache({ freshMs, now }: { freshMs: number; now: () => number }): OpenFileCache {
  const entries = createBoundedMap<string, Entry>({
    maxEntries: () => maxFiles,
    onRemove({ file, timer }) {
      clearTimeout(timer)
      void file.close()
    }
  })
  const opening = new Set<string>()
  const take = (id: string, file: OpenFile, comparedAt: number): void =>
    entries.set(id, { file, comparedAt, timer: setTimeout(entries.delete, closedAfterMs, id).unref() })
  return {
    find(id) {
      const entry = entries.get(id)
      return entry !== undefined && now() - entry.comparedAt < freshMs ? entry.file : undefined
    },
    compare(id, etag) {
      const entry = entries.get(id)
      if (entry === undefined) return false
      if (entry.file.etag !== etag) {
        entries.delete(id)
        return false
      }
      entry.comparedAt = now()
      entry.timer.refresh()
      return true
    },
    async add(id, open) {
      if (opening.has(id)) return
      opening.add(id)
      try {
        // From now on it may be replaced.
        const comparedAt = now()
        const file = await open()
        if (file !== null) take(id, file, comparedAt)
      } catch {
        // Readers open it themselves, and get the error.
      } finally {
        opening.delete(id)
      }
    }
  }
}
