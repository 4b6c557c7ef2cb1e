/** Names a service and carries its type. Tokens compare by `id`. */
export interface Service<T> {
  readonly id: string
  readonly type?: T
}
/** A need that may go unmet: it arrives as `T | undefined`. */
export interface Optional<T> {
  readonly id: string
  readonly optional: true
  readonly type?: T
}

/** Names a service: `export const PostsService = service<Posts>('posts')`. Services are for asking and deciding together. */
export const service = <T>(id: string): Service<T> => ({ id })

/** Marks a need as one the plugin can do without: `needs: { memory: optional(MemoryService) }`. */
export const optional = <T>(token: Service<T>): Optional<T> => ({ id: token.id, optional: true })

export type Needs = Record<string, Service<unknown> | Optional<unknown>>
export type Provides = Record<string, Service<unknown>>

type NeedOf<Token> =
  Token extends Optional<infer T>
    ? Token extends { optional: true }
      ? T | undefined
      : T
    : Token extends Service<infer T>
      ? T
      : never
/** The services that needs stand for. */
export type NeedsOf<N extends Needs> = { readonly [K in keyof N]: NeedOf<N[K]> }
/** The services that promises stand for. */
export type ServicesOf<P extends Provides> = { readonly [K in keyof P]: P[K] extends Service<infer T> ? T : never }
