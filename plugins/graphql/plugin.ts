import { CONTRACT, definePlugin, GraphqlModulesService } from '#core'
import { checkThirdPartyModules, graphqlChecks } from './checks.ts'
import { createLazyEngine } from './lazy-engine.ts'
import { graphqlSettings } from './settings.ts'

export default definePlugin({
  name: 'graphql',
  contract: CONTRACT,
  describe: 'GraphQL at /graphql, read only: the parts that the plugins bring, as one schema',
  needs: { modules: GraphqlModulesService },
  settings: graphqlSettings,
  setup({ needs: { modules }, settings, db, log }) {
    return {
      services: {},
      routes: async app => {
        await checkThirdPartyModules(modules)
        const { addGraphql } = await import('./routes.ts')
        addGraphql(app, createLazyEngine({ modules, settings, db, log }))
      },
      commands: {
        graphql: {
          describe: 'The GraphQL schema',
          load: async () => (await import('./commands/graphql.ts')).graphqlCommands(modules)
        }
      },
      checks: graphqlChecks(modules)
    }
  }
})
