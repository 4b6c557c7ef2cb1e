/** `#time`: moments, durations and periods, as operators and clients write and read them. */
export {
  type CalendarDuration,
  durationForm,
  durationMs,
  parseCalendarDuration,
  parseDuration,
  parseSignedDuration,
  showDuration
} from './duration.ts'
export { localInstant, parseInstant, showTime, zoneOffset } from './instant.ts'
export { type Period, periodOf, periodParameters } from './period.ts'
