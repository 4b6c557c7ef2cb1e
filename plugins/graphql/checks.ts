import { BootError, type Check, critical, type NamedGraphqlModule, ok, skipped } from '#core'

/**
 * Builds the schema at boot (70 ms), if third-party plugins contribute to it. The modules of this package are known to fit.
 * @throws BootError with every plugin whose part is wrong
 */
export async function checkThirdPartyModules(modules: readonly NamedGraphqlModule[]): Promise<void> {
  if (modules.every(({ isBuiltIn }) => isBuiltIn)) return
  const { createSchema } = await import('./schema.ts')
  await createSchema(modules)
}

/**
 * Builds the schema for `galley doctor`; a server builds it at the first query. The checks that a worker runs by itself leave it
 * out: building it would hold up readers for 100 ms.
 */
export const graphqlChecks = (modules: readonly NamedGraphqlModule[]): Check[] => [
  {
    name: 'GraphQL schema',
    async run({ isUnattended }) {
      if (isUnattended === true) return skipped('galley doctor builds it')
      const { createSchema } = await import('./schema.ts')
      try {
        const { schema } = await createSchema(modules)
        return ok(
          `${Object.keys(schema.getQueryType()?.getFields() ?? {}).length} queries of ${modules.length} plugins`
        )
      } catch (error) {
        if (!(error instanceof BootError)) throw error
        const found = error.problems.map(({ plugin, cause }) => `${plugin}: ${cause}`).join('; ')
        return critical(`${found}.`, error.problems[0]?.remedy ?? '')
      }
    }
  }
]
