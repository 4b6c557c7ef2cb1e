import { CONTRACT, definePlugin, GraphqlPartsService } from '#core'
import { checkThirdPartyParts, graphqlChecks } from './checks.ts'
import { createLazyEngine } from './lazy-engine.ts'
import { graphqlSettings } from './settings.ts'

export default definePlugin({
  name: 'graphql',
  contract: CONTRACT,
  describe: 'GraphQL at /graphql, read only: the parts that the plugins bring, as one schema',
  needs: { parts: GraphqlPartsService },
  settings: graphqlSettings,
  setup({ needs: { parts }, settings, db, log }) {
    return {
      services: {},
      routes: async app => {
        await checkThirdPartyParts(parts)
        const { addGraphql } = await import('./routes.ts')
        addGraphql(app, createLazyEngine({ parts, settings, db, log }))
      },
      checks: graphqlChecks(parts),
      commands: {
        graphql: {
          describe: 'The GraphQL schema',
          load: async () => (await import('./commands/graphql.ts')).graphqlCommands(parts)
        }
      }
    }
  }
})
