import { AppError, type Db, InputError, isObject, isUuid, messageOf, NotFoundError, withTimeout } from '#core'
import { ambiguousId, type IdRange, idRange, maxIdMatches } from '#lists'
import { type DefinedGates, findGate, gateNames } from './defined-gates.ts'
import type { DefaultGate, HeldItem, HeldSubject } from './index.ts'
import { listHolds, listSubjectIds } from './repository.ts'

/** Items listed of each gate. */
export const maxListed = 100
/** Items of each gate that a lookup by id reads: of a gate that leaves out no other ids, more than ever wait. */
const maxSearched = 100_000

/** What waits at the gate (null: at all gates), longest first. */
export async function pendingAt(
  db: Db,
  defined: DefinedGates,
  gate_name: string | null,
  limit = maxListed,
  ids?: IdRange
): Promise<HeldItem[]> {
  const names = gate_name === null ? gateNames(defined) : [gate_name]
  return (await Promise.all(names.map(name => heldAt(db, defined, name, limit, ids)))).flat()
}

export async function countPendingAt(db: Db, defined: DefinedGates, gate_name: string | null): Promise<number> {
  const names = gate_name === null ? gateNames(defined) : [gate_name]
  const counts = await Promise.all(names.map(name => countAt(db, name, findGate(defined, name))))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** How many wait at one gate. */
export const countAt = (db: Db, gate_name: string, gate: Pick<DefaultGate, 'countPending'>): Promise<number> =>
  askGate(gate_name, () => gate.countPending(db))

/** A gate may take this long to list what waits. */
const maxListSeconds = 30

/** Calls a plugin's gate. An error names the gate, because all gates are called at once. */
async function askGate<Answer>(gate_name: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await withTimeout(maxListSeconds * 1_000, ask(), () => {
      throw new Error(`it did not answer within ${maxListSeconds} s`)
    })
  } catch (error) {
    if (error instanceof AppError) throw error
    const message = messageOf(error)
    throw new Error(`The gate ${gate_name} cannot list what waits: ${message}`, { cause: error })
  }
}

/** A plugin in JavaScript lists anything. @throws TypeError */
function requireSubjects(listed: unknown): void {
  if (!Array.isArray(listed)) throw new TypeError('listPending returns no list')
  const wrong = listed.find(each => !isObject(each) || typeof each.subject_id !== 'string' || !isUuid(each.subject_id))
  if (wrong !== undefined) throw new TypeError(`the subject_id of ${JSON.stringify(wrong)} is no UUID`)
}

async function heldAt(
  db: Db,
  defined: DefinedGates,
  gate_name: string,
  limit: number,
  ids: IdRange | undefined
): Promise<HeldItem[]> {
  const gate = findGate(defined, gate_name)
  const listed = await askGate(gate_name, async () => {
    const subjects = await gate.listPending(db, limit, ids)
    requireSubjects(subjects)
    return subjects
  })
  const subjects = ids === undefined ? listed : listed.filter(subject => isWithin(subject, ids))
  const subject_ids = subjects.map(subject => subject.subject_id)
  const holds = new Map((await listHolds(db, gate_name, subject_ids)).map(hold => [hold.subject_id, hold]))
  return subjects.map(subject => {
    const { at = null, actor = 'unknown', reason = null } = holds.get(subject.subject_id) ?? {}
    return { gate_name, ...subject, actor, reason, held_at: at }
  })
}

const isWithin = ({ subject_id, task_id, post_id }: HeldSubject, [first, last]: IdRange): boolean =>
  [subject_id, task_id, post_id].some(id => id !== null && first <= id && id <= last)

/** All ids of the task or post that an id or a prefix names. @throws as `findHeld` */
export async function relatedIds(db: Db, { subjectIds }: DefinedGates, text: string): Promise<string[]> {
  const [first, last] = idRange(text, 'id')
  const lists = await Promise.all([
    listSubjectIds(db, first, last, maxIdMatches),
    ...subjectIds.map(source => source.list(db, first, last, maxIdMatches))
  ])
  const ids = [...new Set(lists.flat())].sort()
  const [only] = ids
  if (only === undefined) throw new NotFoundError(`No task or post has an id that begins with ${text}: check it.`)
  if (ids.length === 1) {
    const related = await Promise.all(subjectIds.map(source => source.listRelated?.(db, only) ?? []))
    return [...new Set([only, ...related.flat()])]
  }
  throw ambiguousId(text, ids)
}

const uuidLength = 36

/** The full id of the held subject that a prefix names. What names none is returned unchanged, and the gate judges it. @throws ConflictError `AMBIGUOUS_ID` */
export async function resolveSubjectId(db: Db, defined: DefinedGates, gate_name: string, id: string): Promise<string> {
  if (id.trim().length >= uuidLength) return id
  try {
    return (await findHeld(db, defined, id, gate_name)).subject_id
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof InputError) return id
    throw error
  }
}

/** The held item that an id or a prefix names. @throws NotFoundError, ConflictError `AMBIGUOUS_ID` */
export async function findHeld(db: Db, defined: DefinedGates, id: string, gate_name: string | null): Promise<HeldItem> {
  const found = await pendingAt(db, defined, gate_name, maxSearched, idRange(id, 'task_id'))
  const [only] = found
  const where = gate_name === null ? 'any gate' : gate_name
  if (only === undefined)
    throw new NotFoundError(`Nothing waits at ${where} with the id ${id}: "gates pending" lists what waits.`)
  if (found.length === 1) return only
  const matches = found.map(item => `${item.subject_id} (${item.gate_name})`)
  throw ambiguousId(id, matches, 'Give more of it, or --gate.')
}
