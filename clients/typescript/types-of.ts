import openapiTypescript, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { markOf } from './mark.ts'

/** The types of a description, as they are checked in. */
export async function typesOf(description: string): Promise<string> {
  const types = await openapiTypescript(JSON.parse(description), {
    alphabetize: true,
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    // Else pictures and sound would be texts.
    transform: ({ format }) => (format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined),
    silent: true
  })
  return `${markOf(description)}\n${astToString(types)}`
}
