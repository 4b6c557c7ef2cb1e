// Checks of one bearer token in one process, revocations still heard of: node bench/tokens.ts
import { AuthenticatorService } from '../core/contract/access.ts'
import { startService } from '../test/helpers/service.ts'
import { type Measured, measured } from './target.ts'

const checks = 200_000

const service = await startService({ worker: false })
try {
  const authenticator = service.kernel.service(AuthenticatorService)
  if (authenticator === undefined) throw new Error('No plugin checks tokens.')
  await authenticator.authenticate(service.token)
  const begun = performance.now()
  for (let n = 0; n < checks; n++) await authenticator.authenticate(service.token)
  const perSecond = (checks / (performance.now() - begun)) * 1000
  const rows: Measured[] = [measured('token checks', perSecond, 'a second', '≥', 15_000)]
  console.table(rows)
} finally {
  await service.close()
}
