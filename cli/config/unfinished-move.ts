import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { writeDurably } from '../../core/bootstrap-update.ts'

/** Says which move was under way: what one that was killed left in the target may be replaced by the next. */
export const moveMark = (home: string): string => path.join(home, 'move.unfinished')

export function readMoveMark(home: string): string | undefined {
  const text = existsSync(moveMark(home)) ? readFileSync(moveMark(home), 'utf8').trim() : ''
  return /^[0-9a-f-]{36}$/.test(text) ? text : undefined
}

export function writeMoveMark(home: string, id: string): void {
  rmSync(moveMark(home), { force: true })
  writeDurably(moveMark(home), `${id}\n`)
}

export const removeMoveMark = (home: string): void => rmSync(moveMark(home), { force: true })
