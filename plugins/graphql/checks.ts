import { BootError, type Check, critical, type NamedGraphqlPart, ok } from '#core'

/** Who brings a part in this package: these are known to fit. */
export const ownParts: ReadonlySet<string> = new Set(['search', 'settings', 'memory', 'posts', 'tasks'])

/**
 * A start makes no schema, which takes some 70 ms, unless others bring parts.
 * @throws BootError naming every plugin whose part is wrong.
 */
export async function checkForeign(parts: readonly NamedGraphqlPart[]): Promise<void> {
  if (parts.every(({ plugin }) => ownParts.has(plugin))) return
  const { createSchema } = await import('./schema.ts')
  await createSchema(parts)
}

/** What `galley doctor` asks of the schema: a server makes it with the first query. */
export const graphqlChecks = (parts: readonly NamedGraphqlPart[]): Check[] => [
  {
    name: 'GraphQL schema',
    async run() {
      const { createSchema } = await import('./schema.ts')
      try {
        const { schema } = await createSchema(parts)
        return ok(`${Object.keys(schema.getQueryType()?.getFields() ?? {}).length} queries of ${parts.length} plugins`)
      } catch (error) {
        if (!(error instanceof BootError)) throw error
        const found = error.problems.map(({ plugin, cause }) => `${plugin}: ${cause}`).join('; ')
        return critical(`${found}.`, error.problems[0]?.remedy ?? '')
      }
    }
  }
]
