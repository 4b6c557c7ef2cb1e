// The public surface of the core, for plugins.
export { readStart } from './answer-start.ts'
export { type EventLog, EventLogsService } from './audit/event-logs.ts'
export { recordAudit } from './audit/repository.ts'
export { type Cache, createCache } from './cache.ts'
export { type Bounded, bounded, LimitError } from './child/bounded.ts'
export * from './contract/access.ts'
export * from './contract/command.ts'
export { errorDescriptions } from './contract/error-descriptions.ts'
export * from './contract/errors.ts'
export * from './contract/graphql.ts'
export * from './contract/plugin.ts'
export type { Db, Listener, Param, Queryable, StatementOptions, Tx } from './db/db.ts'
export { createLoader, type Loader, type LoaderOptions } from './db/loader.ts'
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
export * from './http/period.ts'
export { requestSignal } from './http/request-signal.ts'
export { securityHeaders } from './http/security-headers.ts'
export { visible } from './http/trimmed-length.ts'
export { schemaFaults, validationFields } from './http/validation.ts'
export * from './installation.ts'
export { JobParked } from './jobs/exhausted.ts'
export { hasWorker, type QueueStats, readStats as readQueueStats } from './jobs/repository.ts'
export { BootError, type BootProblem } from './kernel/boot-error.ts'
export type { Log } from './log.ts'
export { decodeReferences, escapeHtml } from './references.ts'
export { type SettingsStore, SettingsStoreService, type SettingView } from './settings/store.ts'
export { type SigningSecret, SigningSecretService, signingSecretTopic } from './signing-secret.ts'
export { asText, metadataFault, textFault, withoutDirections } from './text-rules.ts'
export { localInstant, parseInstant, showTime, zoneOffset } from './time.ts'
