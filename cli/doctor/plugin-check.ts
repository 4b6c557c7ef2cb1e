import type { Config } from '../../core/config.ts'
import { critical, degraded, type Finding, ok } from '../../core/contract/check.ts'
import { AppError } from '../../core/contract/errors.ts'
import { messageOf } from '../../core/unknown.ts'
import { type Report, reportOf, resultOf } from '../checks/report.ts'

/** What a start would say. Here, beside a running server too: its own plugins started, perhaps by another configuration. */
export async function checkPlugins(config: Config | AppError, env: NodeJS.ProcessEnv, cwd: string): Promise<Finding> {
  const [{ checkPluginConfig }, { pluginsConfigPath }] = await Promise.all([
    import('../plugins/check-plugins.ts'),
    import('../config/plugins-config.ts')
  ])
  const path = config instanceof AppError ? pluginsConfigPath(env.GALLEY_PLUGINS, cwd) : config.pluginsConfigPath
  const again = `Then check ${path} with galley plugins doctor.`
  try {
    const { problems, isRefused } = await checkPluginConfig(path)
    if (problems.length === 0) return ok('')
    const found = listed(problems.map(({ plugin, cause }) => `${plugin}: ${cause}`))
    const remedies = [...new Set(problems.map(({ remedy }) => remedy))]
    return isRefused
      ? critical(`A start would be refused. ${found}`, [...remedies, again].join(' '))
      : degraded(found, [...remedies, again].join(' '))
  } catch (error) {
    return critical(`The plugins cannot be checked: ${messageOf(error)}`, `Repair what is named. ${again}`)
  }
}

const maxShownProblems = 5

function listed(problems: readonly string[]): string {
  const rest = problems.length - maxShownProblems
  return `${problems.slice(0, maxShownProblems).join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`
}

/** The report with what was found of the plugins, where that is worse. */
export function withPlugins<R extends Report>(diagnosis: R, finding: Finding): R {
  if (finding.status === 'ok') return diagnosis
  const checks = diagnosis.checks.map(check => {
    // What stops them here may be another thing than what is found without a home.
    const isWorse = check.status === 'critical' && finding.status !== 'critical'
    return check.name === 'plugins' && !isWorse ? resultOf('plugins', finding) : check
  })
  return { ...diagnosis, ...reportOf(checks) }
}
