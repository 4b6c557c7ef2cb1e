import { CONTRACT, definePlugin } from '#core'
import { metricsRoutes } from './routes.ts'

export default definePlugin({
  name: 'metrics',
  contract: CONTRACT,
  describe: 'The metrics of the service at /metrics, for Prometheus',
  setup: ({ db, log }) => ({ services: {}, routes: metricsRoutes({ db, log }) })
})
