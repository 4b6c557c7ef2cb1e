import fs from 'node:fs'
import path from 'node:path'

/**
 * Whether `dist` holds what the sources would compile to. In a checkout, sources edited after the last build win; a package
 * has no sources. Plain JavaScript that an old Node.js can read too.
 */
export function isBuilt(root) {
  const dist = path.join(root, 'dist')
  const builtAt = fs.statSync(path.join(dist, 'command-catalogue.json'), { throwIfNoEntry: false })?.mtimeMs
  if (builtAt === undefined || !fs.existsSync(path.join(dist, 'cli', 'main.js'))) return false
  const compilation = path.join(root, 'tsconfig.build.json')
  if (!fs.existsSync(compilation)) return true
  const { include } = JSON.parse(fs.readFileSync(compilation, 'utf8'))
  return include.every(folder => isOlder(path.join(root, folder), builtAt))
}

function isOlder(folder, time) {
  return fs.readdirSync(folder, { withFileTypes: true }).every(entry => {
    const file = `${folder}/${entry.name}`
    if (entry.isDirectory()) return isOlder(file, time)
    return !/\.[jt]s$/.test(entry.name) || fs.statSync(file).mtimeMs <= time
  })
}
