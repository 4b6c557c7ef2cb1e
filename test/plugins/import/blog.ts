import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Writes files into a new folder, by their paths in it, and returns the folder. */
export function writeFolder(files: Readonly<Record<string, string | Uint8Array>>, name = 'blog'): string {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'galley-import-')), name)
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(folder, file)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, content)
  }
  return folder
}
