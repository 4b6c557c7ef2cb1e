import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { programHelp } from '../core/command-help.ts'
import { buildFreshCluster } from '../core/db/fresh-cluster.ts'
import { packageRoot } from '../core/paths.ts'
import { version } from '../core/version.ts'
import { bundleDependencies } from './bundle-dependencies.ts'
import { describeAll } from './catalogue.ts'

/** Completes what the compiler wrote: the imports map of the compiled code, and what help reads. */
const dist = path.join(packageRoot, 'dist')
const manifest = {
  type: 'module',
  imports: { '#core': './core/index.js', '#plugins/*': './plugins/*/index.js', '#bundled/*': './bundled/*' }
}

await mkdir(dist, { recursive: true })
await buildFreshCluster()
await writeFile(path.join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
await bundleDependencies(packageRoot, dist)
const catalogue = await describeAll({}, packageRoot)
const help = await programHelp(catalogue, { name: 'galley', version, colour: false })
await writeFile(path.join(dist, 'help.txt'), `${help}\n`)
// Written last: the launcher takes its time for the time of the build.
await writeFile(path.join(dist, 'command-catalogue.json'), JSON.stringify(catalogue))
