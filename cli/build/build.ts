import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { packageRoot } from '../../core/paths.ts'
import { version } from '../../core/version.ts'
import { describeAll } from '../catalogue.ts'
import { buildFreshCluster } from '../database/fresh-cluster.ts'
import { programHelp } from '../framework/help.ts'
import { localProgram } from '../local-program.ts'
import { bundleDependencies } from './bundle-dependencies.ts'
import { importByPath } from './import-paths.ts'

/** Completes what the compiler wrote: where the compiled code imports from, and what help reads. */
const dist = path.join(packageRoot, 'dist')

await mkdir(dist, { recursive: true })
await buildFreshCluster()
await bundleDependencies(packageRoot, dist)
await importByPath(dist)
const catalogue = await describeAll({ env: {}, cwd: packageRoot, local: localProgram({}) })
const help = await programHelp(catalogue, { name: 'galley', version, hasColour: false })
await writeFile(path.join(dist, 'help.txt'), `${help}\n`)
// Written last: the launcher takes its time for the time of the build.
await writeFile(path.join(dist, 'command-catalogue.json'), JSON.stringify(catalogue))
