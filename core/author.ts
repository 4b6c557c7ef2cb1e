/**
 * `galley/plugin`: what a plugin is written with. What is exported here stays for as long as `CONTRACT` does;
 * docs/plugins.md describes each export. `galley/plugins/<name>` has the services and events of one plugin.
 */
export type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
export { type Static, type TSchema, Type } from 'typebox'
export { type Column, fieldLines, listOf, paint, table } from '#cli'
export * from './contract/access.ts'
export * from './contract/command.ts'
export * from './contract/errors.ts'
export {
  type BatchRead,
  type ConnectionArguments,
  connectionOf,
  type GraphqlCheck,
  type GraphqlContext,
  type GraphqlPart,
  type GraphqlResolver,
  pageQueryOf
} from './contract/graphql.ts'
export * from './contract/plugin.ts'
export type { Db, Param, Queryable, StatementOptions, Tx } from './db/db.ts'
export { resolveId } from './db/prefix-id.ts'
export { durationForm, parseDuration, showDuration } from './duration.ts'
export * from './health/check.ts'
export type { Metric, Sample } from './health/metric.ts'
export {
  type CursorValue,
  type ListIdentity,
  type Page,
  type PageQuery,
  type PageRequest,
  pageOf,
  pageParameters,
  pageRequest,
  sendPage,
  toPage
} from './http/pagination.ts'
export { type Period, type PeriodQuery, periodOf, periodParameters } from './http/period.ts'
export { JobParked } from './jobs/exhausted.ts'
export type { Log } from './log.ts'
export { parseInstant, showTime } from './time.ts'
