/** `#time`: moments, durations and periods, as operators and clients write and read them. */
export {
  type CalendarDuration,
  durationHint,
  durationMs,
  formatDuration,
  parseCalendarDuration,
  parseDurationMs,
  parseSignedDuration
} from './duration.ts'
export { formatInstant, localInstant, moveBy, parseInstant, zoneOffsetMs } from './instant.ts'
export { type Period, periodOf, periodParameters, sinceOf } from './period.ts'
export { retryAfterMs } from './retry-after.ts'
export { retryDelaySeconds } from './retry-delay.ts'
export { isRelative, parseWhen, whenForm } from './when.ts'
