import type { GraphqlModule, NamedGraphqlModule } from '../contract/graphql.ts'
import type { Plugin } from '../contract/plugin.ts'
import { runSyncWithDeadline, withDeadline } from '../isolation/deadline.ts'
import { withWatchdog } from '../isolation/steps.ts'
import type { LoadedPlugin } from './contribution-rules.ts'
import { originOf } from './origin.ts'

/** The parts of the GraphQL schema that plugins bring, each loaded when it is needed. */
export const graphqlModulesOf = (loaded: readonly LoadedPlugin[]): NamedGraphqlModule[] =>
  loaded.flatMap(({ plugin, contribution: { graphql } }) =>
    graphql === undefined
      ? []
      : [{ plugin: plugin.name, isBuiltIn: originOf(plugin) === 'built-in', load: () => loadModule(plugin, graphql) }]
  )

async function loadModule(plugin: Plugin, load: () => Promise<GraphqlModule>): Promise<GraphqlModule> {
  const run = () => withDeadline(Promise.resolve(runSyncWithDeadline(load)))
  return originOf(plugin) === 'third-party'
    ? await withWatchdog({ plugin: plugin.name, what: 'its GraphQL part' }, run)
    : await run()
}
