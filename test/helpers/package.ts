import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../core/paths.ts'
import { copyRelease } from './release.ts'

/** What is installed beside a package when the registry is out of reach: the packages that are installed here. */
const modules = path.join(packageRoot, 'node_modules')

/** Packs galley as it would be published, from the build at hand when that is current; answers the tarball. */
export function packGalley(folder: string): string {
  const builtAt = statSync(path.join(packageRoot, 'dist/command-catalogue.json'), { throwIfNoEntry: false })?.mtimeMs
  const sources = globSync('{core,plugins,cli,testing}/**/*.ts', { cwd: packageRoot })
  const isCurrent =
    builtAt !== undefined && sources.every(file => statSync(path.join(packageRoot, file)).mtimeMs <= builtAt)
  return packPackage(isCurrent ? packageRoot : buildCopy(path.join(folder, 'galley')), folder)
}

function buildCopy(copy: string): string {
  copyRelease(copy, '0.1.0')
  for (const part of ['tsconfig.json', 'docs', 'CHANGELOG.md', 'LICENSE', 'README.md'])
    cpSync(path.join(packageRoot, part), path.join(copy, part), { recursive: true })
  run('npm', ['run', '--silent', 'build'], copy)
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
  for (const [name, tarball] of Object.entries(tarballs)) {
    mkdirSync(path.join(target, name))
    run('tar', ['xzf', tarball, '--strip-components', '1', '-C', path.join(target, name)], folder)
  }
  for (const name of readdirSync(modules))
    if (!name.startsWith('.')) symlinkSync(path.join(modules, name), path.join(target, name))
  symlinkSync('../galley/cli/bin.js', path.join(target, '.bin/galley'))
  const dependencies = Object.fromEntries(Object.entries(tarballs).map(([name, file]) => [name, `file:${file}`]))
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
}

/** Runs a program with what is installed here on its path; answers its stdout. */
export const run = (program: string, argv: readonly string[], cwd: string): string =>
  execFileSync(program, argv, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PATH: `${path.join(modules, '.bin')}:${process.env.PATH}`, NODE_TEST_CONTEXT: undefined }
  })
