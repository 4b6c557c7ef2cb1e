import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { packageRoot } from '../core/paths.ts'
import { describeAll } from './catalogue.ts'
import { referenceOf } from './reference.ts'

/** `npm run docs`: writes what is made from the code. */
await writeFile(path.join(packageRoot, 'docs', 'cli.md'), referenceOf(await describeAll({}, packageRoot), 'galley'))
