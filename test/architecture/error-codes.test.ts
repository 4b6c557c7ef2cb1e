import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { coreErrors } from '../../core/contract/error-codes.ts'
import type { Plugin } from '../../core/contract/plugin.ts'
import { loadPlugins } from '../../core/kernel/load.ts'
import { packageRoot } from '../../core/paths.ts'

const read = (file: string): string => readFileSync(path.join(packageRoot, file), 'utf8')
const plugins = await loadPlugins(path.join(packageRoot, 'plugins.config.json'))
const declaredBy = new Map(plugins.map(({ name, errors }: Plugin) => [name, Object.keys(errors ?? {})]))

/** The arguments of a call that begins at `start`, up to its closing parenthesis. */
function argumentsAt(text: string, start: number): string {
  let depth = 1
  let end = start
  for (; depth > 0 && end < text.length; end++) depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0
  return text.slice(start, end)
}

/** The codes a source throws, or hands to what throws. */
function* thrownCodes(text: string): Generator<string> {
  for (const { index, 0: call } of text.matchAll(/new (?:AppError|ConflictError)\(/g))
    for (const [, code] of argumentsAt(text, index + call.length).matchAll(/'([A-Z]+(?:_[A-Z]+)*)'/g))
      yield code as string
  for (const [, code] of text.matchAll(/\bcode: '([A-Z]+(?:_[A-Z]+)+)'/g)) yield code as string
}

test('every error code that a plugin throws is declared by it, by a plugin it imports, or by the kernel', () => {
  let found = 0
  const undeclared = globSync('plugins/**/*.ts', { cwd: packageRoot }).flatMap(file => {
    const folder = `plugins/${file.split(path.sep)[1]}`
    const text = globSync(`${folder}/**/*.ts`, { cwd: packageRoot }).map(read).join()
    const near = [
      path.basename(folder),
      ...[...text.matchAll(/'#plugins\/([a-z-]+)'/g)].map(match => match[1] as string)
    ]
    const declared = [...Object.keys(coreErrors), ...near.flatMap(name => declaredBy.get(name) ?? [])]
    const thrown = [...thrownCodes(read(file))]
    found += thrown.length
    return thrown.filter(code => !declared.includes(code)).map(code => `${file}: ${code}`)
  })
  assert.deepEqual(undeclared, [])
  assert.ok(found > 10, String(found))
})

test('every error code that a plugin declares is thrown by somebody', () => {
  const thrown = new Set(
    globSync('plugins/**/*.ts', { cwd: packageRoot }).flatMap(file => [...thrownCodes(read(file))])
  )
  assert.deepEqual(
    [...declaredBy.values()].flat().filter(code => !thrown.has(code)),
    []
  )
})

test('the kernel names no code of a plugin', () => {
  const codes = [...declaredBy.values()].flat()
  const named = globSync('core/**/*.ts', { cwd: packageRoot }).filter(file =>
    codes.some(code => read(file).includes(`'${code}'`))
  )
  assert.deepEqual(named, [])
})
