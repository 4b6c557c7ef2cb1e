import type { OpenFile } from '#plugins/storage'

/** Files that stay open between requests: opening and closing take three times as long as reading a part. */
export interface KeptFiles {
  /** A file that was there within the last second. Begin to read it at once: later it may be closed. */
  find(id: string): OpenFile | undefined
  /** Compares a file with one that was opened just now, and closes it when it is another. @returns whether it is kept */
  compare(id: string, etag: string): boolean
  /** Opens a file, unless it is being opened, and closes it later. */
  keep(id: string, open: () => Promise<OpenFile | null>): Promise<void>
}

interface Kept {
  file: OpenFile
  comparedAt: number
  /** Closes it. */
  timer: NodeJS.Timeout
}

/** A process may have some thousands open, and its connections need most of them. */
const maxFiles = 128
/** A file that was deleted takes room on its disk until it is closed. */
const closedAfterMs = 5000

export function createKeptFiles({ freshMs, now }: { freshMs: number; now: () => number }): KeptFiles {
  // In the order in which they were kept.
  const kept = new Map<string, Kept>()
  const opening = new Set<string>()
  const close = (id: string): void => {
    const entry = kept.get(id)
    if (entry === undefined) return
    kept.delete(id)
    clearTimeout(entry.timer)
    void entry.file.close()
  }
  const take = (id: string, file: OpenFile): void => {
    close(id)
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= maxFiles) close(oldest)
    kept.set(id, { file, comparedAt: now(), timer: setTimeout(close, closedAfterMs, id).unref() })
  }
  return {
    find(id) {
      const entry = kept.get(id)
      return entry !== undefined && now() - entry.comparedAt < freshMs ? entry.file : undefined
    },
    compare(id, etag) {
      const entry = kept.get(id)
      if (entry === undefined) return false
      if (entry.file.etag !== etag) {
        close(id)
        return false
      }
      entry.comparedAt = now()
      entry.timer.refresh()
      return true
    },
    async keep(id, open) {
      if (opening.has(id)) return
      opening.add(id)
      try {
        const file = await open()
        if (file !== null) take(id, file)
      } catch {
        // Readers open it themselves, and get the error.
      } finally {
        opening.delete(id)
      }
    }
  }
}
