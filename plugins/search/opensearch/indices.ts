import { isObject, type Log, messageOf, UnavailableError } from '#core'
import type { EngineRebuild, NewIndex } from '../driver.ts'
import { type BulkTarget, documentItem, removalItem, writeItems } from './bulk.ts'
import { indexBody, isMadeFor } from './index-body.ts'
import type { AskEngine } from './request.ts'

interface IndicesDeps {
  request: AskEngine
  log: Log
}

/** Adds to and removes from what an alias stands for. */
export const createEngineWriter = (request: AskEngine, target: () => BulkTarget): NewIndex => ({
  add: (documents, signal) => writeItems(request, target(), documents.map(documentItem), signal),
  remove: (posts, signal) => writeItems(request, target(), posts.map(removalItem), signal)
})

/** The indices that an alias stands for. */
export async function indicesOf(request: AskEngine, alias: string, signal: AbortSignal): Promise<string[]> {
  const { status, body } = await request({ path: `_alias/${alias}`, signal, accepts: [404] })
  return status === 404 ? [] : Object.keys(body)
}

/** All that galley made for an alias; nothing else is ever removed. */
async function ownIndices(request: AskEngine, alias: string, signal: AbortSignal): Promise<string[]> {
  const path = `${alias}-*/_mapping?expand_wildcards=all&filter_path=*.mappings._meta`
  const { body } = await request({ path, signal, accepts: [404] })
  const isName = new RegExp(`^${alias}-\\d{17}$`)
  return Object.entries(body).flatMap(([name, index]) => (isName.test(name) && isMadeFor(alias, index) ? [name] : []))
}

/** Makes an index beside the one that answers, and puts it into its place in one step. */
export async function rebuildIndices(
  alias: string,
  { fill, complete, signal }: EngineRebuild,
  { request, log }: IndicesDeps
): Promise<void> {
  const present = await requireOwn(request, alias, signal)
  // A killed rebuild left them.
  const own = await ownIndices(request, alias, signal)
  for (const name of own) if (!present.includes(name)) await removeIndex(request, name, signal)
  const next = `${alias}-next`
  const name = `${alias}-${timestamp()}`
  await request({ method: 'PUT', path: name, body: indexBody(alias, next), signal })
  let isSwapped = false
  const swap = async () => {
    await request({ method: 'POST', path: `${name}/_refresh`, signal })
    await request({
      method: 'POST',
      path: '_aliases',
      body: { actions: swapActions({ alias, next, name, present }) },
      signal
    })
    isSwapped = true
    return name
  }
  try {
    const writer = createEngineWriter(request, () => ({ alias: next, refreshes: false }))
    await fill(writer)
    await request({ method: 'PUT', path: `${name}/_settings`, body: { index: { refresh_interval: null } }, signal })
    await complete(writer, swap)
  } catch (error) {
    if (!isSwapped) await removeIfReachable(name, { request, log })
    throw error
  }
  for (const old of present) await removeIfReachable(old, { request, log })
}

/** @throws UnavailableError where something else has the name of the alias */
async function requireOwn(request: AskEngine, alias: string, signal: AbortSignal): Promise<string[]> {
  const present = await indicesOf(request, alias, signal)
  const own = await ownIndices(request, alias, signal)
  const unowned = present.find(name => !own.includes(name))
  const isIndex =
    present.length === 0 && (await request({ method: 'HEAD', path: alias, signal, accepts: [404] })).status !== 404
  if (unowned === undefined && !isIndex) return present
  throw new UnavailableError(
    `${unowned ?? alias} at search_url was not made by galley, and is left alone: set search_index to another name.`
  )
}

function swapActions({ alias, next, name, present }: { alias: string; next: string; name: string; present: string[] }) {
  return [
    ...present.map(index => ({ remove: { index, alias } })),
    { add: { index: name, alias } },
    { remove: { index: name, alias: next } }
  ]
}

/** To the millisecond, so that each has its own. */
const timestamp = () => new Date().toISOString().replace(/\D/g, '')

const removeIndex = (request: AskEngine, name: string, signal: AbortSignal) =>
  request({ method: 'DELETE', path: name, signal, accepts: [404] })

/** What cannot be removed now is removed by the next rebuild. */
async function removeIfReachable(name: string, { request, log }: IndicesDeps): Promise<void> {
  try {
    await removeIndex(request, name, AbortSignal.timeout(10_000))
  } catch (error) {
    log.warn({ index: name, reason: messageOf(error) }, 'an index of the search engine could not be removed')
  }
}

/** What the numbers of an index say. */
export async function sizesOf(request: AskEngine, alias: string, signal: AbortSignal) {
  const fields = '_all.primaries.docs.count,_all.primaries.store.size_in_bytes'
  const { body } = await request({ path: `${alias}/_stats/docs,store?filter_path=${fields}`, signal })
  return {
    documents: numberAt(body, ['_all', 'primaries', 'docs', 'count']),
    bytes: numberAt(body, ['_all', 'primaries', 'store', 'size_in_bytes'])
  }
}

function numberAt(body: unknown, path: readonly string[]): number {
  const value = path.reduce((at, key) => (isObject(at) ? at[key] : undefined), body)
  return typeof value === 'number' ? value : 0
}
