/** A document as the engine has it: its values, and the places of its terms. */
export interface StoredDocument {
  id: string
  version: number
  source: Readonly<Record<string, unknown>>
  positions: Map<string, number[]>
  length: number
}

/** An index of the stand-in. Searches see what was there at the last refresh. */
export interface StoredIndex {
  name: string
  settings: Record<string, unknown>
  mappings: { dynamic?: unknown; _meta?: unknown; properties: Record<string, { type: string; [key: string]: unknown }> }
  aliases: Set<string>
  live: Map<string, StoredDocument>
  /** Versions of what was removed. */
  removed: Map<string, number>
  visible: Map<string, StoredDocument>
}

/** The answer to one write of a bulk request. */
export interface ItemResult {
  status: number
  result?: string
  error?: { type: string; reason: string }
}

const conflict = (id: string, present: number): ItemResult => ({
  status: 409,
  error: {
    type: 'version_conflict_engine_exception',
    reason: `[${id}]: version conflict, current version [${present}] is higher than the one provided`
  }
})

const presentVersion = ({ live, removed }: StoredIndex, id: string) => live.get(id)?.version ?? removed.get(id) ?? -1

export function indexDocument(
  index: StoredIndex,
  { id, version, source }: Pick<StoredDocument, 'id' | 'version' | 'source'>
): ItemResult {
  const unknown = Object.keys(source).find(key => !(key in index.mappings.properties))
  if (unknown !== undefined && index.mappings.dynamic === 'strict')
    return {
      status: 400,
      error: { type: 'strict_dynamic_mapping_exception', reason: `mapping set to strict, [${unknown}] is not allowed` }
    }
  for (const [key, { type }] of Object.entries(index.mappings.properties))
    if (type === 'integer' && source[key] !== undefined && !Number.isInteger(source[key]))
      return { status: 400, error: { type: 'mapper_parsing_exception', reason: `failed to parse field [${key}]` } }
  const present = presentVersion(index, id)
  if (present > version) return conflict(id, present)
  const isNew = !index.live.has(id)
  index.live.set(id, { id, version, source, ...analysed(index, source) })
  index.removed.delete(id)
  return { status: isNew ? 201 : 200, result: isNew ? 'created' : 'updated' }
}

export function deleteDocument(index: StoredIndex, id: string, version: number): ItemResult {
  const present = presentVersion(index, id)
  if (present > version) return conflict(id, present)
  const was = index.live.delete(id)
  index.removed.set(id, version)
  return was ? { status: 200, result: 'deleted' } : { status: 404, result: 'not_found' }
}

/** By the analyzer `whitespace`: each value of a list begins `position_increment_gap` after the one before. */
function analysed({ mappings }: StoredIndex, source: StoredDocument['source']) {
  const positions = new Map<string, number[]>()
  let length = 0
  for (const [field, { type, analyzer, position_increment_gap: gap = 100 }] of Object.entries(mappings.properties)) {
    if (type !== 'text') continue
    if (analyzer !== 'whitespace') throw new TypeError(`The stand-in has no analyzer ${analyzer}.`)
    let position = 0
    for (const value of [source[field] ?? []].flat()) {
      for (const token of String(value)
        .split(/\s+/)
        .filter(each => each !== '')) {
        const key = `${field} ${token}`
        const before = positions.get(key)
        if (before === undefined) positions.set(key, [position])
        else before.push(position)
        position += 1
        length += 1
      }
      position += Number(gap)
    }
  }
  return { positions, length }
}

export function refresh(index: StoredIndex): void {
  index.visible = new Map(index.live)
}
