// Not on a server: it is about the embedded database.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { expressionInterpreter } from '../../../../cli/database/pglite/engine.ts'
import { packageRoot } from '../../../../core/paths.ts'

const engine = readFileSync(fileURLToPath(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))))

/** Reads unsigned numbers, names and sections of WebAssembly's binary format. */
function createReader(bytes: Uint8Array, start: number) {
  let at = start
  const number = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
  }
  const skip = (length: number) => {
    at += length
  }
  const limits = () => {
    const flags = number()
    number()
    if (flags & 1) number()
  }
  return { number, skip, limits, place: () => at }
}

/** Sizes of the bodies of all functions by their index, imported ones left out. */
function functionSizes(): Map<number, number> {
  const reader = createReader(engine, 8)
  const sizes = new Map<number, number>()
  let imported = 0
  const skipImport = () => {
    for (const _name of ['module', 'field']) reader.skip(reader.number())
    const kind = reader.number()
    if (kind === 0) imported += 1
    if (kind === 0 || kind === 4) reader.number()
    if (kind === 4) reader.number()
    if (kind === 1) reader.number()
    if (kind === 1 || kind === 2) reader.limits()
    if (kind === 3) reader.skip(2)
  }
  while (reader.place() < engine.length) {
    const section = reader.number()
    const end = reader.number() + reader.place()
    if (section === 2) for (let left = reader.number(); left > 0; left--) skipImport()
    if (section === 10) {
      const count = reader.number()
      for (let index = imported; index < imported + count; index++) {
        const size = reader.number()
        sizes.set(index, size)
        reader.skip(size)
      }
    }
    reader.skip(end - reader.place())
  }
  return sizes
}

test('the only function of the database that a command or a service may optimize is the largest', () => {
  const sizes = [...functionSizes()].sort(([, a], [, b]) => b - a)
  // With another release of PGlite: of its largest functions, not the one that runs when SQL is parsed.
  assert.deepEqual(sizes[0], [expressionInterpreter, 126_661])
  const launcher = readFileSync(path.join(packageRoot, 'cli', 'bin.js'), 'utf8')
  assert.match(launcher, new RegExp(`--wasm-tier-up-filter=${expressionInterpreter}'`))
})
