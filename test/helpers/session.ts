export { type RecordedSession, recordSession } from '../../testing/session.ts'
