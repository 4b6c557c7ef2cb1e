export { until } from '../../testing/until.ts'
