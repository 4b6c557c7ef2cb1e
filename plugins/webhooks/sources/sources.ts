import type { WebhookSource } from '../index.ts'
import type { LandingTable } from '../repository/inbox.ts'

/** A source with what only galley's own have. */
export interface RegisteredSource extends WebhookSource {
  /** Its address. */
  readonly path: string
  readonly operationId: string
  /** Where the payload is stored besides; null for nowhere. */
  readonly landing: LandingTable | null
  /** True: storing it is all. */
  readonly isOnlyStored: boolean
  /** A redelivery says that something goes on: it is handled again. */
  readonly isRepeatHandled: boolean
}

/** A source as it is added: galley's own say where their payloads are stored. */
export type SourceDefinition = WebhookSource & Partial<RegisteredSource>

/** Every registered source. */
export interface Sources {
  /** @throws TypeError for a name that is taken or not in kebab case */
  add(source: SourceDefinition): void
  find(name: string): RegisteredSource | undefined
  all(): RegisteredSource[]
  /** Names of those with something to do for a delivery. */
  handled(): string[]
}

const maxNameLength = 60

export function createSources(): Sources {
  const sources = new Map<string, RegisteredSource>()
  return {
    add(source) {
      const { name } = source
      if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > maxNameLength)
        throw new TypeError(`The webhook source ${name} needs a name in kebab case, such as my-shop.`)
      if (sources.has(name)) throw new TypeError(`The webhook source ${name} is added twice: name one otherwise.`)
      sources.set(name, registered(source))
    },
    find: name => sources.get(name),
    all: () => [...sources.values()],
    handled: () => [...sources.values()].filter(({ isOnlyStored }) => !isOnlyStored).map(({ name }) => name)
  }
}

/** The methods stay on the source that was given: one may be an instance of a class. */
function registered(source: SourceDefinition): RegisteredSource {
  const { name, handleLate } = source
  return {
    name,
    describe: source.describe,
    secret: source.secret,
    path: source.path ?? `/api/webhooks/${name}`,
    operationId: source.operationId ?? `receive${pascalCase(name)}Webhook`,
    landing: source.landing ?? null,
    isOnlyStored: source.isOnlyStored ?? false,
    isRepeatHandled: source.isRepeatHandled ?? false,
    requestHeaders: source.requestHeaders ?? {},
    verify: (secret, request, now) => source.verify(secret, request, now),
    identify: request => source.identify(request),
    handle: (tx, delivery) => source.handle(tx, delivery),
    ...(handleLate && { handleLate: (tx, delivery) => handleLate.call(source, tx, delivery) })
  }
}

const pascalCase = (name: string): string =>
  name
    .split('-')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
