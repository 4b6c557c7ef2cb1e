import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBuilt } from './built.js'

// npm runs this for `npm ci`, and again when `npx galley` first takes the checkout for a package: half a minute for nothing.
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const inputs = ['package.json', 'package-lock.json', 'tsconfig.build.json'].map(name => path.join(root, name))
if (!isBuilt(root) || inputs.some(isNewer)) {
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'inherit' })
  process.exitCode = status ?? 1
}

/** Other versions of what the build bundles. */
function isNewer(file) {
  const builtAt = fs.statSync(path.join(root, 'dist', 'command-catalogue.json')).mtimeMs
  return (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > builtAt
}
