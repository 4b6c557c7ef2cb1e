import { existsSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../core/paths.ts'

/** `GALLEY_PLUGINS`, else `plugins.config.json` in the working directory, else the package's own. */
export function pluginsConfigPath(named: string | undefined, cwd: string): string {
  if (named !== undefined && named !== '') return path.resolve(cwd, named)
  const local = path.join(cwd, 'plugins.config.json')
  return existsSync(local) ? local : path.join(packageRoot, 'plugins.config.json')
}
