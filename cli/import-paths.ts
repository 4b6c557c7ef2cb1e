import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * Makes the compiled code and its declarations import by path what the sources name `#core`, `#text` and `#plugins/<name>`: those
 * names are the sources' own, and a compiled file read from elsewhere must not end there.
 */
export const importByPath = (dist: string): Promise<void> =>
  rewriteFiles(dist, /\.(js|d\.ts)$/, (code, toRoot) =>
    code
      .replaceAll(/(\bfrom |\bimport\()(['"])#(core|text|plugins\/[a-z-]+)\2/g, `$1$2${toRoot}/$3/index.js$2`)
      .replaceAll(/(\bfrom )(['"])#(core\/(?:references|text-rules))\2/g, `$1$2${toRoot}/$3.js$2`)
  )

/** Changes every file of the compiled code whose name fits; `toRoot` is the way from the file to `dist`. */
export async function rewriteFiles(
  dist: string,
  fits: RegExp,
  change: (code: string, toRoot: string) => string
): Promise<void> {
  for (const file of await readdir(dist, { recursive: true })) {
    if (!fits.test(file) || file.startsWith('bundled')) continue
    const place = path.join(dist, file)
    const code = await readFile(place, 'utf8')
    const changed = change(code, path.posix.relative(path.dirname(file), '.').replace(/^$/, '.'))
    if (changed !== code) await writeFile(place, changed)
  }
}
