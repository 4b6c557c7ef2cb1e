/** `#core`: what a plugin is written with, as `galley/plugin` exports it to everybody. docs/plugins.md describes each export. */
export type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
export { type Static, type TSchema, Type } from 'typebox'
export { readStart } from './answer-start.ts'
export { type Cache, createCache } from './cache.ts'
export * from './contract/access.ts'
export type { Changes } from './contract/changes.ts'
export * from './contract/command.ts'
export * from './contract/error-codes.ts'
export * from './contract/errors.ts'
export * from './contract/graphql.ts'
export type { Installation } from './contract/installation.ts'
export type * from './contract/jobs.ts'
export * from './contract/plugin.ts'
export type * from './contract/settings.ts'
export type { Needs, Optional, Provides, Service } from './contract/types.ts'
export { recordAudit } from './db/audit.ts'
export type { Db, Param, Queryable, StatementOptions, Tx } from './db/db.ts'
export { createLoader } from './db/loader.ts'
export { resolveId } from './db/prefix-id.ts'
export {
  type CalendarDuration,
  durationForm,
  durationMs,
  parseCalendarDuration,
  parseDuration,
  parseSignedDuration,
  showDuration
} from './duration.ts'
export * from './health/check.ts'
export type { Metric, Sample } from './health/metric.ts'
export type { ApiDescription } from './http/api-description.ts'
export { matchesEtag } from './http/etag.ts'
export * from './http/pagination.ts'
export { type Period, periodOf, periodParameters } from './http/period.ts'
export { requestSignal } from './http/request-signal.ts'
export { securityHeaders } from './http/security-headers.ts'
export { visible } from './http/trimmed-length.ts'
export { schemaFaults, validationFields } from './http/validation.ts'
export * from './installation.ts'
export { JobParked } from './jobs/dead-letters.ts'
export { hasWorker, type QueueStats, readStats as readQueueStats } from './jobs/repository.ts'
export { BootError, type BootProblem } from './kernel/boot-error.ts'
export type { Log } from './log.ts'
export { decodeReferences, escapeHtml } from './references.ts'
export { type SettingsStore, SettingsStoreService } from './settings/types.ts'
export { type SigningSecret, SigningSecretService, signingSecretTopic } from './signing-secret.ts'
export { asText, metadataFault, textFault, withoutDirections } from './text-rules.ts'
export { localInstant, parseInstant, showTime, zoneOffset } from './time.ts'
