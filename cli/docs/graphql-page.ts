const block = /```graphql schema\n[\s\S]*?```/

/** A page of the docs with `schema` in its block ```` ```graphql schema ````. */
export const withSchema = (page: string, schema: string): string =>
  page.replace(block, () => `\`\`\`graphql schema\n${schema}\`\`\``)
