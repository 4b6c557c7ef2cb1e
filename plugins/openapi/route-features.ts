import type { RouteFacts } from './types.ts'

/** POST routes for clients with a token take an Idempotency-Key: the kernel handles it before the route. */
export const takesIdempotencyKey = ({ method, config }: RouteFacts): boolean =>
  method === 'post' && config.access?.kind === 'bearer'

/** Where the kernel adds a strong ETag, so that a reader can ask again with If-None-Match. */
export const hasEtag = ({ method, config }: RouteFacts): boolean =>
  method === 'get' &&
  (config.access?.kind === 'public' || config.access?.kind === 'optional') &&
  config.documentation?.isNeverStored !== true

export const checksIfMatch = ({ config }: RouteFacts): boolean => config.documentation?.checksIfMatch === true

export const sendsRanges = ({ config }: RouteFacts): boolean => config.documentation?.sendsRanges === true
