import { readdirSync } from 'node:fs'
import path from 'node:path'

/** The paths of all files below a folder, sorted. A folder that is removed meanwhile has none: Node's own walk ends with an error. */
export function filesUnder(folder: string): string[] {
  const entries = () => {
    try {
      return readdirSync(folder, { withFileTypes: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  }
  return entries()
    .flatMap(entry => {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) return filesUnder(file)
      return entry.isFile() ? [file] : []
    })
    .sort()
}
