import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { packageRoot } from '../core/paths.ts'
import { describeAll } from './catalogue.ts'
import { withSchema } from './graphql-page.ts'
import { referenceOf } from './reference.ts'

/** `npm run docs`: writes what is made from the code. */
const docs = path.join(packageRoot, 'docs')
await writeFile(path.join(docs, 'cli.md'), referenceOf(await describeAll({}, packageRoot), 'galley'))
const graphql = path.join(docs, 'graphql.md')
await writeFile(graphql, await withSchema(await readFile(graphql, 'utf8'), packageRoot))
