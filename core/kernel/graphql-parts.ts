import type { GraphqlPart, NamedGraphqlPart } from '../contract/graphql.ts'
import type { Plugin } from '../contract/plugin.ts'
import { runSyncWithDeadline, withDeadline } from '../isolation/deadline.ts'
import { withWatchdog } from '../isolation/steps.ts'
import type { LoadedPlugin } from './contribution-rules.ts'
import { isShipped, isThirdParty, thirdPartiesLast } from './origin.ts'

/** The parts of the GraphQL schema that plugins bring, each loaded when it is needed. */
export const graphqlPartsOf = (loaded: readonly LoadedPlugin[]): NamedGraphqlPart[] =>
  thirdPartiesLast(loaded, ({ plugin }) => plugin).flatMap(({ plugin, contribution: { graphql } }) =>
    graphql === undefined
      ? []
      : [{ plugin: plugin.name, isShipped: isShipped(plugin), load: () => loadPart(plugin, graphql) }]
  )

async function loadPart(plugin: Plugin, load: () => Promise<GraphqlPart>): Promise<GraphqlPart> {
  const run = () => withDeadline(Promise.resolve(runSyncWithDeadline(load)))
  return isThirdParty(plugin) ? await withWatchdog({ plugin: plugin.name, what: 'its GraphQL part' }, run) : await run()
}
