import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { packageRoot } from '../../core/paths.ts'
import { madeDocuments } from './documents.ts'
import { withSchema } from './graphql-page.ts'
import { describeService } from './service-description.ts'

/** `npm run docs`: writes what is made from the code. */
const docs = path.join(packageRoot, 'docs')
const description = await describeService({}, packageRoot)
const documents = madeDocuments(description)
for (const [file, text] of Object.entries(documents)) await writeFile(path.join(docs, file), text)
const graphql = path.join(docs, 'graphql.md')
await writeFile(graphql, withSchema(await readFile(graphql, 'utf8'), description.graphql))
