import openapiTypescript, { astToString } from 'openapi-typescript'
import { markOf } from './mark.ts'

/** The types of a description, as they are checked in. */
export async function typesOf(description: string): Promise<string> {
  const types = await openapiTypescript(JSON.parse(description), {
    alphabetize: true,
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    silent: true
  })
  return `${markOf(description)}\n${astToString(types)}`
}
