import { CONTRACT, definePlugin, GraphqlModulesService, SettingsStoreService } from '#core'
import { checkThirdPartyModules, graphqlChecks } from './checks.ts'
import { createLazyEngine } from './lazy-engine.ts'
import { graphqlSettings } from './settings.ts'

export default definePlugin({
  name: 'graphql',
  contract: CONTRACT,
  describe: 'GraphQL at /graphql, read only: the parts that the plugins bring, as one schema',
  needs: { modules: GraphqlModulesService, store: SettingsStoreService },
  settings: graphqlSettings,
  setup({ needs: { modules, store }, settings, db, log }) {
    const searchesPerMinute = () => Number(store.value('rate_limit_search_per_minute'))
    return {
      services: {},
      routes: async app => {
        await checkThirdPartyModules(modules)
        const { addGraphql } = await import('./routes.ts')
        addGraphql(app, createLazyEngine({ modules, settings, db, log, searchesPerMinute }))
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
