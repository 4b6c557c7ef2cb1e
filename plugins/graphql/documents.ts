import { createHash } from 'node:crypto'
import { type DocumentNode, GraphQLError, Kind, type OperationTypeNode, parse } from 'graphql'
import { InputError, type Settings } from '#core'
import { createRecent } from './recent.ts'
import { QueryError } from './refusal.ts'
import type { graphqlSettings } from './settings.ts'
import { CircleError, type Shape, shapeOf } from './shape.ts'

/** An operation of a document, before it is known whether the schema has what it asks for. */
export interface Operation {
  readonly name: string | undefined
  readonly type: OperationTypeNode
}

export interface Documents {
  /**
   * The operations of a text that is within the limits. It needs no schema: GraphQL's own rules come after it.
   * @throws QueryError for a text that is no document, InputError for one that is too large.
   */
  operationsIn(text: string): readonly Operation[]
  /** The text a client stands for by its hash: remembered when it comes along, and found when it does not. */
  textOf(hash: string, text: string | undefined): string
  /** Remembers a text under its hash, once it has been answered. */
  remember(hash: string, text: string): void
}

type Size = Shape & { readonly tokens: number }

/** A name, a sign or a value has about six characters; this leaves room for texts. */
const mostCharacters = 50_000
/** Fields a document may select once its fragments are put in. */
const mostFields = 1_000
const deepestIntrospection = 20
/** What is kept of documents. One that is refused takes most, with its errors. */
const mostBytes = 50_000_000
const bytesOfToken = 1_000

/**
 * `forget` is called when what mercurius keeps of the documents may have become large: it counts documents, which may be of
 * any size. All of them are new from then on.
 */
export function createDocuments(settings: Settings<typeof graphqlSettings>, forget: () => void): Documents {
  const known = new Map<string, { operations: readonly Operation[]; size: Size }>()
  let bytes = 0
  const persisted = createRecent<string>({
    entries: () => settings.get('graphql_persisted_queries'),
    characters: 10_000_000
  })
  return {
    operationsIn(text) {
      const kept = known.get(text)
      if (kept !== undefined) {
        // The limits may have changed since.
        refuseLarge(kept.size, settings)
        return kept.operations
      }
      const document = parseText(text, settings.get('graphql_max_tokens'))
      const size = measure(document)
      refuseLarge(size, settings)
      const operations = operationsOf(document)
      bytes += size.tokens * bytesOfToken + text.length * 2
      if (bytes > mostBytes) {
        known.clear()
        forget()
        bytes = 0
      }
      known.set(text, { operations, size })
      return operations
    },
    textOf(hash, text) {
      if (text === undefined) {
        const found = persisted.get(hash)
        if (found === undefined) throw notRemembered()
        return found
      }
      if (createHash('sha256').update(text).digest('hex') !== hash)
        throw new InputError({ extensions: 'persistedQuery.sha256Hash is not the hash of the query' })
      return text
    },
    remember: (hash, text) => persisted.set(hash, text, text.length)
  }
}

/** Clients that send hashes know this answer by its message, and send the text then. */
const notRemembered = () =>
  new QueryError([new GraphQLError('PersistedQueryNotFound', { extensions: { code: 'NOT_FOUND' } })])

function parseText(text: string, maxTokens: number): DocumentNode {
  if (text.length > mostCharacters)
    throw tooLarge(`has ${text.length} characters; at most ${mostCharacters} are allowed`)
  try {
    return parse(text, { maxTokens })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    if (error.message.includes('Parsing aborted'))
      throw tooLarge(`has more than ${maxTokens} tokens (setting graphql_max_tokens)`)
    throw new QueryError([error])
  }
}

/** The parser's own limit leaves comments out, and they are kept with the document. */
function countTokens({ loc }: DocumentNode): number {
  let count = 0
  for (let token = loc?.startToken.next; token != null && token !== loc?.endToken; token = token.next) count += 1
  return count
}

const operationsOf = ({ definitions }: DocumentNode): Operation[] =>
  definitions.flatMap(definition =>
    definition.kind === Kind.OPERATION_DEFINITION ? [{ name: definition.name?.value, type: definition.operation }] : []
  )

function measure(document: DocumentNode): Size {
  try {
    return { ...shapeOf(document), tokens: countTokens(document) }
  } catch (error) {
    if (error instanceof CircleError)
      throw tooLarge(`spreads its fragments in a circle: ${error.message.slice(0, 200)}`)
    throw error
  }
}

function refuseLarge(size: Size, settings: Settings<typeof graphqlSettings>): void {
  const limits = [
    ['tokens', settings.get('graphql_max_tokens'), 'has %n tokens, comments included', 'graphql_max_tokens'],
    ['depth', settings.get('graphql_max_depth'), 'is %n levels deep', 'graphql_max_depth'],
    ['aliases', settings.get('graphql_max_aliases'), 'has %n aliases or repeated fields', 'graphql_max_aliases'],
    ['fields', mostFields, 'selects %n fields', undefined],
    ['introspectionDepth', deepestIntrospection, 'asks %n levels deep for the schema', undefined]
  ] as const
  for (const [what, most, words, setting] of limits) {
    if (size[what] <= most) continue
    const hint = setting === undefined ? '' : ` (setting ${setting})`
    throw tooLarge(`${words.replace('%n', String(size[what]))}; at most ${most} are allowed${hint}`)
  }
}

const tooLarge = (fault: string) => new InputError({ query: fault }, `The query ${fault}.`)
