import { createHash } from 'node:crypto'
import { type DocumentNode, GraphQLError, Kind, Lexer, type OperationTypeNode, parse, Source, TokenKind } from 'graphql'
import { createBoundedMap, InputError, type Settings } from '#core'
import { QueryError } from './errors.ts'
import type { graphqlSettings } from './settings.ts'
import { FragmentCycleError, type RootField, rootFieldsOf, type Shape, shapeOf } from './shape.ts'

/** An operation of a document that is not yet validated against the schema. */
export interface NamedOperation {
  readonly name: string | undefined
  readonly type: OperationTypeNode
  /** The fields of `Query` that it asks for. */
  readonly rootFields: readonly RootField[]
}

export interface Documents {
  /**
   * The operations of a text, after its limits are checked. It needs no schema: validation comes later.
   * @throws QueryError for a syntax error, InputError for a text that is too large
   */
  operationsIn(text: string): readonly NamedOperation[]
  /** The given text after its hash was checked, or the persisted text of that hash. */
  resolveText(hash: string, text: string | undefined): string
  /** Persists an answered text under its hash. */
  persist(hash: string, text: string): void
}

type Size = Shape & { readonly tokens: number }

/** A token has about six characters; the rest is room for string values. */
const maxCharacters = 50_000
/** Fields of a document with its fragments expanded. */
const maxFields = 1_000
const maxIntrospectionDepth = 20
/** Limit of the cached documents. A refused one takes the most space, with its errors. */
const maxCachedBytes = 50_000_000
const bytesOfToken = 1_000
const maxPersistedBytes = 20_000_000

/** `clearParsed` is called when the documents that mercurius caches may have grown too large: it counts documents, not bytes. */
export function createDocuments(settings: Settings<typeof graphqlSettings>, clearParsed: () => void): Documents {
  const cache = new Map<string, { operations: readonly NamedOperation[]; size: Size }>()
  let bytes = 0
  const persisted = createBoundedMap<string, string>({
    maxEntries: () => settings.get('graphql_persisted_queries'),
    maxBytes: () => maxPersistedBytes,
    bytesOf: text => 2 * text.length
  })
  return {
    operationsIn(text) {
      const cached = cache.get(text)
      if (cached !== undefined) {
        // The limits may have changed.
        refuseLarge(cached.size, settings)
        return cached.operations
      }
      const document = parseText(text, settings.get('graphql_max_tokens'))
      const size = measure(document)
      refuseLarge(size, settings)
      const operations = operationsOf(document)
      bytes += size.tokens * bytesOfToken + text.length * 2
      if (bytes > maxCachedBytes) {
        cache.clear()
        clearParsed()
        bytes = 0
      }
      cache.set(text, { operations, size })
      return operations
    },
    resolveText(hash, text) {
      if (text === undefined) {
        const found = persisted.get(hash)
        if (found === undefined) throw persistedQueryNotFound()
        return found
      }
      if (createHash('sha256').update(text).digest('hex') !== hash)
        throw new InputError({ extensions: 'persistedQuery.sha256Hash is not the hash of the query' })
      return text
    },
    persist: (hash, text) => persisted.set(hash, text)
  }
}

/** Clients recognise this message, and then send the text. */
const persistedQueryNotFound = () =>
  new QueryError([new GraphQLError('PersistedQueryNotFound', { extensions: { code: 'NOT_FOUND' } })])

function parseText(text: string, maxTokens: number): DocumentNode {
  if (text.length > maxCharacters) throw tooLarge(`has ${text.length} characters; at most ${maxCharacters} are allowed`)
  try {
    // Before it is parsed: the tree of a large text takes far more memory than its tokens.
    if (hasMoreTokens(text, maxTokens)) throw tooLarge(`has more than ${maxTokens} tokens (setting graphql_max_tokens)`)
    return parse(text)
  } catch (error) {
    throw error instanceof GraphQLError ? new QueryError([error]) : error
  }
}

/** Comments are not counted here. @throws GraphQLError for a token that is none */
function hasMoreTokens(text: string, max: number): boolean {
  const lexer = new Lexer(new Source(text))
  for (let count = 0; count <= max; count += 1) if (lexer.advance().kind === TokenKind.EOF) return false
  return true
}

/** Includes comments, which the document contains. */
function countTokens({ loc }: DocumentNode): number {
  let count = 0
  for (let token = loc?.startToken.next; token != null && token !== loc?.endToken; token = token.next) count += 1
  return count
}

const operationsOf = (document: DocumentNode): NamedOperation[] =>
  document.definitions
    .filter(definition => definition.kind === Kind.OPERATION_DEFINITION)
    .map(operation => ({
      name: operation.name?.value,
      type: operation.operation,
      rootFields: rootFieldsOf(document, operation)
    }))

function measure(document: DocumentNode): Size {
  try {
    return { ...shapeOf(document), tokens: countTokens(document) }
  } catch (error) {
    if (error instanceof FragmentCycleError)
      throw tooLarge(`spreads its fragments in a circle: ${error.message.slice(0, 200)}`)
    throw error
  }
}

function refuseLarge(size: Size, settings: Settings<typeof graphqlSettings>): void {
  const limits = [
    ['tokens', settings.get('graphql_max_tokens'), 'has %n tokens, comments included', 'graphql_max_tokens'],
    ['depth', settings.get('graphql_max_depth'), 'is %n levels deep', 'graphql_max_depth'],
    ['aliases', settings.get('graphql_max_aliases'), 'has %n aliases or repeated fields', 'graphql_max_aliases'],
    ['fields', maxFields, 'selects %n fields', undefined],
    ['introspectionDepth', maxIntrospectionDepth, 'asks %n levels deep for the schema', undefined]
  ] as const
  for (const [what, max, words, setting] of limits) {
    if (size[what] <= max) continue
    const hint = setting === undefined ? '' : ` (setting ${setting})`
    throw tooLarge(`${words.replace('%n', String(size[what]))}; at most ${max} are allowed${hint}`)
  }
}

const tooLarge = (fault: string) => new InputError({ query: fault }, `The query ${fault}.`)
