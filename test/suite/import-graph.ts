import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../core/paths.ts'

/** One import of a file. Paths are from the root of the repository. */
export interface Import {
  file: string
  specifier: string
  /** The file it leads to; undefined for a package. */
  target: string | undefined
  /** Nothing of it is left at run time. */
  isType: boolean
  /** What is imported by name; empty for a whole module. */
  names: readonly string[]
  /** Asked for at run time, where it is needed. */
  isLazy: boolean
}

const { imports } = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as {
  imports: Record<string, string>
}

const statement =
  /^(?:import|export)\s+(type\s+)?(?:(\w+)\s*,?\s*)?(\*(?:\s+as\s+\w+)?|\{[^}]*\})?\s*from\s+'([^']+)'|^import '([^']+)'/gm
const lazy = /(typeof |: )?\bimport\('([^']+)'\)|new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g

export const sourcesIn = (pattern: string): string[] => globSync(pattern, { cwd: packageRoot }).sort()
export const readSource = (file: string): string => readFileSync(path.join(packageRoot, file), 'utf8')

/** The folders that the package is compiled from. */
export const compiledFolders = (): string[] =>
  JSON.parse(readFileSync(path.join(packageRoot, 'tsconfig.build.json'), 'utf8')).include

/** Every source of the package. */
export const packagedSources = (): string[] => sourcesIn(`{${compiledFolders()}}/**/*.ts`)

/** What a file imports, in its order: those of its statements, then those it asks for at run time. */
export function importsOf(file: string): Import[] {
  const text = readSource(file)
  const stated = [...text.matchAll(statement)].map(([, type, name, clause = '', from, sideEffect]): Import => {
    const specifier = (from ?? sideEffect) as string
    const names = clause.startsWith('{') ? namesIn(clause) : []
    const isType = type !== undefined || (name === undefined && names.length > 0 && names.every(isTypeName))
    const own = names.map(each => each.replace(/^type | as .*$/g, ''))
    return { file, specifier, target: resolve(file, specifier), isType, names: own, isLazy: false }
  })
  const asked = [...text.matchAll(lazy)].map(([, type, specifier, url]): Import => {
    const given = (specifier ?? url) as string
    return { file, specifier: given, target: resolve(file, given), isType: type !== undefined, names: [], isLazy: true }
  })
  return [...stated, ...asked]
}

const isTypeName = (name: string): boolean => name.startsWith('type ')
const namesIn = (clause: string): string[] =>
  clause
    .slice(1, -1)
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')

/** Where a specifier leads, by the imports map of the package. */
function resolve(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier))
  const direct = imports[specifier]
  if (direct !== undefined) return path.posix.normalize(direct)
  for (const [pattern, target] of Object.entries(imports)) {
    const [start = '', end] = pattern.split('*')
    if (end === undefined || !specifier.startsWith(start) || !specifier.endsWith(end)) continue
    return path.posix.normalize(target.replace('*', specifier.slice(start.length, specifier.length - end.length)))
  }
  return undefined
}

/** Each file with those it imports, as far as they are among `files`. */
export function graphOf(files: readonly string[], counts: (each: Import) => boolean): Map<string, string[]> {
  const known = new Set(files)
  const targets = (file: string) => importsOf(file).flatMap(each => (counts(each) ? (each.target ?? []) : []))
  return new Map(files.map(file => [file, [...new Set(targets(file).filter(target => known.has(target)))]]))
}

/** Everything that leads to one of `files`, they included. */
export function dependentsOf(graph: ReadonlyMap<string, readonly string[]>, files: Iterable<string>): Set<string> {
  const importers = new Map<string, string[]>()
  for (const [file, targets] of graph)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), file])
  const found = new Set(files)
  // A set's iteration reaches what is added on the way.
  for (const file of found) for (const importer of importers.get(file) ?? []) found.add(importer)
  return found
}

/** Everything that one of `files` leads to, they included. */
export function dependenciesOf(graph: ReadonlyMap<string, readonly string[]>, files: Iterable<string>): string[] {
  const found = new Set(files)
  for (const file of found) for (const target of graph.get(file) ?? []) found.add(target)
  return [...found]
}

/** The groups of files that reach each other, each in its order; none in a graph without circles. */
export function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const open = new Set<string>()
  const stack: string[] = []
  const circles: string[][] = []
  const visit = (file: string) => {
    order.set(file, order.size)
    low.set(file, order.size - 1)
    stack.push(file)
    open.add(file)
    for (const target of graph.get(file) ?? []) {
      if (!order.has(target)) visit(target)
      if (open.has(target)) low.set(file, Math.min(low.get(file) as number, low.get(target) as number))
    }
    if (low.get(file) !== order.get(file)) return
    const circle = stack.splice(stack.indexOf(file))
    for (const each of circle) open.delete(each)
    if (circle.length > 1) circles.push(circle.sort())
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return circles
}
