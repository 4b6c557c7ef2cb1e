import { type CommandGroup, command, type NamedGraphqlModule } from '#core'

export const graphqlCommands = (modules: readonly NamedGraphqlModule[]): CommandGroup => ({
  schema: command({
    describe: "The schema in GraphQL's schema language, for client generators",
    returns: '{schema: string}',
    args: {},
    async run() {
      const [{ createSchema }, { schemaText }] = await Promise.all([
        import('../schema.ts'),
        import('../schema-text.ts')
      ])
      return { schema: schemaText((await createSchema(modules)).schema) }
    },
    text: ({ schema }) => schema.trimEnd()
  })
})
