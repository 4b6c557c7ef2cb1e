import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { build, type Metafile } from 'esbuild'
import { rewriteFiles } from './import-paths.ts'

/**
 * Dependencies of many small files, in one file each: reading some 1,500 files is most of what a start costs.
 * What has workers, other files beside it or one instance for the whole process (pg, pino, the database) stays as it is.
 */
export const bundled = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/formbody',
  '@fastify/swagger',
  '@sindresorhus/slugify',
  'env-schema',
  'fastify',
  'graphql',
  'jose',
  'marked',
  'mercurius',
  'pg-boss',
  'prom-client',
  'sanitize-html',
  'typebox',
  'typebox/compile',
  'typebox/value'
]
const external = ['pg', 'pino']

/** CommonJS asks for Node's own modules with a `require`, which a module does not have. */
const banner = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`

/** Writes `bundled/` into the compiled code in `dist`, and makes that code import from there. */
export async function bundleDependencies(root: string, dist: string): Promise<void> {
  const folder = path.join(dist, 'bundled')
  const entries = path.join(dist, 'bundle-entries')
  await mkdir(entries, { recursive: true })
  for (const name of bundled) await writeFile(path.join(entries, fileOf(name)), await entryOf(name))
  const { metafile } = await build({
    entryPoints: bundled.map(name => path.join(entries, fileOf(name))),
    outdir: folder,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external,
    // graphql-js looks for copies of itself at each of its many type checks otherwise.
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: { js: banner },
    legalComments: 'none',
    // V8 keeps the source of what it has loaded: half as long, and ASCII, it takes 3 MB less of every process. Names stay for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    charset: 'ascii',
    logLevel: 'warning',
    metafile: true
  })
  await rm(entries, { recursive: true })
  await writeFile(path.join(folder, 'LICENSES.txt'), await licencesOf(metafile, root))
  await importFromBundles(dist)
}

const fileOf = (name: string): string => `${name.replace('@', '').replaceAll('/', '-')}.js`

/** CommonJS has no list of exports that a bundler could read: the running module has. */
async function entryOf(name: string): Promise<string> {
  const names = Object.keys(await import(name)).filter(key => key !== 'module.exports')
  return `export { ${names.join(', ')} } from '${name}'\n`
}

/** @throws Error when a bundle is imported nowhere: it would lie there unused, and its library be read file by file. */
async function importFromBundles(dist: string): Promise<void> {
  const unused = new Set(bundled)
  const specifier = new RegExp(`\\b(from |import\\()'(${bundled.join('|')})'`, 'g')
  await rewriteFiles(dist, /\.js$/, (code, toRoot) =>
    code.replaceAll(specifier, (_, word, name) => {
      unused.delete(name)
      return `${word}'${toRoot}/bundled/${fileOf(name)}'`
    })
  )
  if (unused.size > 0)
    throw new Error(
      `Nothing imports ${[...unused].join(', ')}: take them off the list in cli/build/bundle-dependencies.ts.`
    )
}

/** Every licence asks that its text goes along with a copy. */
async function licencesOf({ inputs }: Metafile, root: string): Promise<string> {
  const packages = new Set(
    Object.keys(inputs).flatMap(input => /^(?:.*node_modules\/)(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [])
  )
  const require = createRequire(import.meta.url)
  const texts = [...packages].sort().map(async folder => {
    const place = path.join(root, folder)
    const { name, version, license } = require(path.join(place, 'package.json'))
    const file = (await readdir(place)).find(entry => /^licen[cs]e/i.test(entry))
    const text = file === undefined ? '' : `\n${(await readFile(path.join(place, file), 'utf8')).trim()}\n`
    return `${name} ${version}: ${license}\n${text}`
  })
  return `${(await Promise.all(texts)).join('\n---\n')}\n`
}
