import { CONTRACT, definePlugin } from '#core'
import { openapiRoutes } from './routes.ts'

export default definePlugin({
  name: 'openapi',
  contract: CONTRACT,
  describe: 'The API document at /openapi.json, and as a page at /docs',
  setup: ({ installation }) => ({ services: {}, routes: openapiRoutes(installation) })
})
