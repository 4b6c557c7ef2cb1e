import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { packageRoot } from '../../core/paths.ts'

/**
 * Makes the compiled code and its declarations import by path what the sources name through `imports` of `package.json`,
 * such as `#core`: those names are the sources' own, and a compiled file read from elsewhere must not end there.
 */
export async function importByPath(dist: string): Promise<void> {
  const { imports } = JSON.parse(await readFile(path.join(packageRoot, 'package.json'), 'utf8'))
  const rules = Object.entries<string>(imports).map(ruleOf)
  await rewriteFiles(dist, /\.(js|d\.ts)$/, (code, toRoot) =>
    rules.reduce((text, [specifier, target]) => text.replaceAll(specifier, `$1$2${toRoot}/${target}$2`), code)
  )
}

/** An entry of the imports map as a search and what stands for it; `*` is the name of a folder. */
function ruleOf([name, file]: [string, string]): readonly [RegExp, string] {
  const specifier = new RegExp(`(\\bfrom |\\bimport\\()(['"])${name.replace('*', '([a-z-]+)')}\\2`, 'g')
  return [specifier, file.replace('./', '').replace('*', '$3').replace(/\.ts$/, '.js')]
}

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
