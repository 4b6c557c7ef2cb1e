import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBuilt } from '../../cli/built.js'
import { codeFolders, packageRoot } from '../../core/paths.ts'
import { copyRelease } from './release.ts'

/** What is installed beside a package when the registry is out of reach: the packages that are installed here. */
const modules = path.join(packageRoot, 'node_modules')

/** What the package is made of. */
const ingredients = [
  ...[...codeFolders, 'docs', 'examples/theme', 'migrations'].map(folder => `${folder}/**`),
  'package.json',
  'tsconfig*.json',
  'plugins.config.json',
  '*.md',
  'LICENSE'
]

/**
 * Packs galley as it would be published; answers the tarball. It is kept for all that test the same sources, and made
 * from the build at hand when that is current.
 */
export function packGalley(): string {
  const cache = path.join(modules, '.cache/galley-packed')
  const packedFolder = path.join(cache, sourcesFingerprint())
  if (!existsSync(packedFolder))
    alone(`${packedFolder}.sqlite`, () => existsSync(packedFolder) || keepPacked(cache, packedFolder))
  return path.join(packedFolder, readdirSync(packedFolder)[0] as string)
}

function keepPacked(cache: string, packedFolder: string): void {
  removeOld(cache)
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-pack-'))
  const made = mkdtempSync(`${packedFolder}.`)
  try {
    packPackage(isBuilt(packageRoot) ? packageRoot : buildCopy(path.join(folder, 'galley')), made)
    renameSync(made, packedFolder)
  } finally {
    for (const each of [folder, made]) rmSync(each, { recursive: true, force: true })
  }
}

/** Changes with any of the sources. */
export function sourcesFingerprint(): string {
  const hash = createHash('sha256')
  for (const file of globSync(ingredients, { cwd: packageRoot }).sort()) {
    const { mtimeMs, size } = statSync(path.join(packageRoot, file))
    hash.update(`${file} ${mtimeMs} ${size}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** Does work while no other process does. The lock falls with the process. */
function alone(file: string, work: () => unknown): void {
  mkdirSync(path.dirname(file), { recursive: true })
  const lock = new DatabaseSync(file, { timeout: 300_000 })
  try {
    lock.exec('begin exclusive')
    work()
  } finally {
    lock.close()
  }
}

const ageOf = (file: string): number => Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())

/** Of sources that nobody tests any more. */
function removeOld(cache: string): void {
  const dayMs = 86_400_000
  for (const name of readdirSync(cache)) {
    const old = path.join(cache, name)
    if (ageOf(old) > dayMs) rmSync(old, { recursive: true, force: true })
  }
}

function buildCopy(copy: string): string {
  copyRelease(copy, '0.1.0')
  rmSync(path.join(copy, 'dist'), { recursive: true, force: true })
  for (const part of ['tsconfig.json', 'docs', 'examples/theme', 'CHANGELOG.md', 'LICENSE', 'README.md'])
    cpSync(path.join(packageRoot, part), path.join(copy, part), { recursive: true })
  // As `npm run build`, but for the check of the types, which are the same here.
  run('tsc', ['-p', 'tsconfig.build.json', '--noCheck', '--singleThreaded'], copy)
  run('node', ['cli/build/build.ts'], copy)
  return copy
}

/** Packs the package in `source`, which is built; answers the tarball. */
export function packPackage(source: string, folder: string): string {
  const packed = run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], source)
  return path.join(folder, packed.trim().split('\n').at(-1) as string)
}

/** Installs tarballs as `npm install` does, without the network. */
export function installPackages(folder: string, tarballs: Readonly<Record<string, string>>): void {
  const target = path.join(folder, 'node_modules')
  mkdirSync(path.join(target, '.bin'), { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true }))
  for (const [name, tarball] of Object.entries(tarballs)) addPackage(folder, name, tarball)
  for (const name of readdirSync(modules))
    if (!name.startsWith('.')) symlinkSync(path.join(modules, name), path.join(target, name))
  symlinkSync('../galley/cli/bin.js', path.join(target, '.bin/galley'))
}

/** The same for one more. */
export function addPackage(folder: string, name: string, tarball: string): void {
  const target = path.join(folder, 'node_modules', name)
  mkdirSync(target)
  run('tar', ['xzf', tarball, '--strip-components', '1', '-C', target], folder)
  const file = path.join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: object }
  const dependencies = { ...manifest.dependencies, [name]: `file:${tarball}` }
  writeFileSync(file, JSON.stringify({ ...manifest, dependencies }))
}

/** What a program that runs beside the test printed, and its exit status. */
export function runBeside(
  program: string,
  argv: readonly string[],
  cwd: string
): Promise<{ code: number; out: string }> {
  return new Promise(resolve => {
    const child = execFile(program, argv, { cwd, encoding: 'utf8', env: environment() }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, out: stdout + stderr })
    )
  })
}

/** Runs a program with what is installed here on its path; answers its stdout. */
export const run = (program: string, argv: readonly string[], cwd: string): string =>
  execFileSync(program, argv, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment()
  })

/** Read at each run: tests change it. */
const environment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${path.join(modules, '.bin')}:${process.env.PATH}`,
  NODE_TEST_CONTEXT: undefined
})
