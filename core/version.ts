import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from './paths.ts'

/** The package's version, as the health payload and `--version` tell it. */
export const { version }: { version: string } = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8'))
