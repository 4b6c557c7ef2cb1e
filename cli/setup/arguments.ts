import { InputError } from '../../core/contract/errors.ts'
import { databaseFault, isServerUrl, schemeOf, serverUrlForm } from '../config/server-url.ts'
import { fieldOf } from '../framework/input-faults.ts'
import { UsageError } from '../framework/usage-error.ts'

/** The flags of `galley setup` that may not stand together. */
interface SetupFlags {
  auto: boolean
  check: boolean
  force: boolean
  'discard-secrets': boolean
  'db-url'?: string | undefined
}

/** @throws UsageError, InputError */
export function checkArguments(args: SetupFlags): void {
  const { 'db-url': databaseUrl } = args
  refuseCombinations({ ...args, 'db-url': databaseUrl !== undefined })
  if (databaseUrl !== undefined) checkUrl(databaseUrl)
}

function refuseCombinations(given: Record<keyof SetupFlags, boolean>): void {
  const pairs = [
    ['auto', 'db-url'],
    ['check', 'auto'],
    ['check', 'force'],
    ['check', 'discard-secrets'],
    ['auto', 'discard-secrets'],
    ['force', 'discard-secrets']
  ] as const
  const problems = pairs.filter(([one, other]) => given[one] && given[other])
  if (problems.length > 0)
    throw new UsageError(
      problems.map(([one, other]) => {
        const text = `--${one} and --${other} exclude each other`
        return { field: fieldOf(one), fault: text, text }
      })
    )
}

function checkUrl(databaseUrl: string): void {
  if (!isServerUrl(databaseUrl))
    throw new InputError({ 'db-url': `must be ${serverUrlForm}, not ${schemeOf(databaseUrl)}` })
  const fault = databaseFault(databaseUrl)
  if (fault !== undefined) throw new InputError({ 'db-url': fault })
}
