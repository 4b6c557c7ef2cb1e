import { AppError, ConflictError, type Db, InputError, NotFoundError } from '#core'
import { type DefinedGates, findGate } from './gates.ts'
import { type DefaultGate, defaultGateName, type HeldItem } from './index.ts'
import { listHolds, listRelatedIds, listSubjectIds } from './repository.ts'

/** Of each gate: more are to be decided before they are worth listing. */
export const listed = 100
/** A gate may hold very many; looking one up reads them all. */
const searched = 100_000

/** What waits at a gate, or (null) at all of them, longest first. */
export async function pendingAt(
  db: Db,
  defined: DefinedGates,
  gate_name: string | null,
  limit = listed
): Promise<HeldItem[]> {
  return (await Promise.all(namesOf(defined, gate_name).map(name => heldAt(db, defined, name, limit)))).flat()
}

export async function countPendingAt(db: Db, defined: DefinedGates, gate_name: string | null): Promise<number> {
  const counts = await Promise.all(namesOf(defined, gate_name).map(name => countAt(db, name, findGate(defined, name))))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** How much waits at one gate. */
export const countAt = (db: Db, gate_name: string, gate: Pick<DefaultGate, 'countPending'>): Promise<number> =>
  asked(gate_name, () => gate.countPending(db))

/** What a gate of some plugin answers. Its fault is told by the gate's name: all gates are asked at once. */
async function asked<Answer>(gate_name: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AppError) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`The gate ${gate_name} does not tell what waits: ${message}`, { cause: error })
  }
}

/** The gate, or (null) all of them, the default one first. */
function namesOf(defined: DefinedGates, gate_name: string | null): string[] {
  if (gate_name !== null) return [gate_name]
  const first = defined.default === undefined ? [] : [defaultGateName]
  return [...first, ...[...defined.configurable.keys()].sort()]
}

async function heldAt(db: Db, defined: DefinedGates, gate_name: string, limit: number): Promise<HeldItem[]> {
  const gate = findGate(defined, gate_name)
  const subjects = await asked(gate_name, () => gate.listPending(db, limit))
  const ids = subjects.map(subject => subject.subject_id)
  const holds = new Map((await listHolds(db, gate_name, ids)).map(hold => [hold.subject_id, hold]))
  return subjects.map(subject => {
    const { at = null, actor = 'unknown', reason = null } = holds.get(subject.subject_id) ?? {}
    return { gate_name, ...subject, actor, reason, held_at: at }
  })
}

const shortestPrefix = 8
const template = '00000000-0000-0000-0000-000000000000'

/** The first and the last id with this prefix. @throws InputError for what is neither an id nor the beginning of one. */
export function idRange(text: string): [first: string, last: string] {
  const prefix = text.trim().toLowerCase()
  const rest = template.slice(prefix.length)
  const first = prefix + rest
  if (prefix.length < shortestPrefix || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(first)) {
    throw new InputError({ id: `is not an id: give a UUID or at least ${shortestPrefix} of its first characters` })
  }
  return [first, prefix + rest.replaceAll('0', 'f')]
}

const mostListed = 5

/** Every id of the one thing that an id or a prefix of it means. @throws as `findHeld` */
export async function idsOfOne(db: Db, text: string): Promise<string[]> {
  const ids = await listSubjectIds(db, idRange(text), mostListed + 1)
  const [only] = ids
  if (only === undefined) throw new NotFoundError(`No task or post has the id ${text}, whole or in part: check it.`)
  if (ids.length === 1) return listRelatedIds(db, only)
  const more = ids.length > mostListed ? ' and more' : ''
  throw new ConflictError(
    `${text} stands for several: ${ids.slice(0, mostListed).join(', ')}${more}. Give more of it.`,
    'AMBIGUOUS_ID'
  )
}

/** The full id of the one subject that waits under a prefix of its ids; anything else as it is, for its gate to judge. */
export async function wholeId(db: Db, defined: DefinedGates, gate_name: string, id: string): Promise<string> {
  if (id.trim().length >= template.length) return id
  try {
    return (await findHeld(db, defined, id, gate_name)).subject_id
  } catch (error) {
    if (error instanceof AppError) return id
    throw error
  }
}

/** The one that waits under an id or a prefix of it. @throws NotFoundError for none, ConflictError `AMBIGUOUS_ID` for several. */
export async function findHeld(db: Db, defined: DefinedGates, id: string, gate_name: string | null): Promise<HeldItem> {
  const [first, last] = idRange(id)
  const isMeant = (item: HeldItem) =>
    [item.subject_id, item.task_id, item.post_id].some(each => each !== null && first <= each && each <= last)
  const found = (await pendingAt(db, defined, gate_name, searched)).filter(isMeant)
  const [only] = found
  const where = gate_name === null ? 'any gate' : gate_name
  if (only === undefined)
    throw new NotFoundError(`Nothing waits at ${where} under ${id}: "gates pending" lists what waits.`)
  if (found.length === 1) return only
  const ids = found.map(item => `${item.subject_id} (${item.gate_name})`).slice(0, 5)
  throw new ConflictError(`${id} stands for several: ${ids.join(', ')}. Give more of it, or --gate.`, 'AMBIGUOUS_ID')
}
