import { createHash } from 'node:crypto'

/** The first line of the types: of which description they were made. */
export const markOf = (description: string): string =>
  `// Made from docs/openapi.json (sha256 ${createHash('sha256').update(description).digest('hex')}) by npm run client: change that, not this.`
