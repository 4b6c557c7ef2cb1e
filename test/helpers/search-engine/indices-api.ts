import { type Answer, type Engine, type EngineRequest, errorBody, indexMissing, indicesNamed } from './engine.ts'
import { refresh, type StoredIndex } from './stored-index.ts'

const acknowledged: Answer = { status: 200, body: { acknowledged: true } }

/** Everything that is about indices; undefined for what the stand-in does not know. */
export function indicesApi(
  engine: Engine,
  request: EngineRequest,
  [name = '', api]: readonly (string | undefined)[]
): Answer | undefined {
  const { method, path, body } = request
  const parsed = body === '' ? {} : JSON.parse(body)
  if (method === 'POST' && path === '_aliases') return changeAliases(engine, parsed.actions)
  if (method === 'GET' && name === '_alias') return readAlias(engine, api ?? '')
  if (method === 'GET' && api === '_mapping') return readMappings(engine, name)
  if (api === undefined && method === 'PUT') return createIndex(engine, name, parsed)
  if (api === undefined && method === 'DELETE') return engine.indices.delete(name) ? acknowledged : indexMissing(name)
  const indices = indicesNamed(engine, name)
  const [index] = indices
  if (method === 'HEAD' && api === undefined) return { status: index === undefined ? 404 : 200 }
  if (index === undefined) return indexMissing(name)
  if (method === 'POST' && api === '_refresh') {
    indices.forEach(refresh)
    return { status: 200, body: { _shards: { total: 1, successful: 1, failed: 0 } } }
  }
  if (method === 'PUT' && api === '_settings') {
    index.settings = { index: { ...(index.settings.index as object), ...parsed.index } }
    return acknowledged
  }
  if (method === 'GET' && api === '_settings')
    return {
      status: 200,
      body: engine.isReadOnly ? { [index.name]: { settings: { 'index.blocks.read_only_allow_delete': 'true' } } } : {}
    }
  if (method === 'GET' && api === '_stats') {
    const docs = { count: index.visible.size }
    return { status: 200, body: { _all: { primaries: { docs, store: { size_in_bytes: 1000 * index.visible.size } } } } }
  }
  return undefined
}

function createIndex(engine: Engine, name: string, body: Partial<StoredIndex> & { aliases?: object }): Answer {
  if (indicesNamed(engine, name).length > 0)
    return errorBody(400, 'resource_already_exists_exception', `index [${name}] already exists`)
  const { settings = {}, mappings = { properties: {} } } = body
  engine.indices.set(name, {
    ...{ name, settings, mappings, aliases: new Set(Object.keys(body.aliases ?? {})) },
    ...{ live: new Map(), removed: new Map(), visible: new Map() }
  })
  return acknowledged
}

/** All or none. */
function changeAliases(
  engine: Engine,
  actions: Record<'add' | 'remove', { index: string; alias: string } | undefined>[]
): Answer {
  for (const { add, remove } of actions) {
    const { index: name = '', alias = '' } = add ?? remove ?? {}
    const index = engine.indices.get(name)
    if (index === undefined) return indexMissing(name)
    if (engine.indices.has(alias))
      return errorBody(
        400,
        'invalid_alias_name_exception',
        `an index exists with the same name as the alias [${alias}]`
      )
    if (remove !== undefined && !index.aliases.has(alias))
      return errorBody(404, 'aliases_not_found_exception', `aliases [${alias}] missing`)
  }
  for (const { add, remove } of actions) {
    if (remove !== undefined) engine.indices.get(remove.index)?.aliases.delete(remove.alias)
    if (add !== undefined) engine.indices.get(add.index)?.aliases.add(add.alias)
  }
  return acknowledged
}

function readAlias(engine: Engine, alias: string): Answer {
  const indices = [...engine.indices.values()].filter(({ aliases }) => aliases.has(alias))
  if (indices.length === 0) return { status: 404, body: { error: `alias [${alias}] missing`, status: 404 } }
  return { status: 200, body: Object.fromEntries(indices.map(({ name }) => [name, { aliases: { [alias]: {} } }])) }
}

function readMappings(engine: Engine, pattern: string): Answer {
  const beginning = pattern.replace(/\*$/, '')
  const indices = [...engine.indices.values()].filter(({ name }) => name.startsWith(beginning))
  const withMeta = indices.filter(({ mappings }) => mappings._meta !== undefined)
  return {
    status: 200,
    body: Object.fromEntries(withMeta.map(({ name, mappings }) => [name, { mappings: { _meta: mappings._meta } }]))
  }
}
