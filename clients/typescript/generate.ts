import { readFileSync, writeFileSync } from 'node:fs'
import { typesOf } from './types-of.ts'

/** Writes the types anew. */
const description = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
writeFileSync(new URL('./openapi.ts', import.meta.url), await typesOf(description))
