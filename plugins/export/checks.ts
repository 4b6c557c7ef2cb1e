import { type Check, critical, type Db, degraded, type Installation, ok, skipped } from '#core'
import type { Storage } from '#plugins/storage'
import { hasExported, readExportState } from './repository/export.ts'

const maxVerifiedAgeMs = 3 * 86_400_000

interface ExportCheckDeps {
  db: Db
  storage: Storage
  installation: Pick<Installation, 'baseUrl' | 'localUrl'>
  /** The setting `export_target`. */
  target(): string
  now(): Date
}

/** What `galley doctor` says of the export. */
export const exportCheck = ({ db, storage, installation, target, now }: ExportCheckDeps): Check => ({
  name: 'static export',
  async run() {
    const address = target()
    const fault = address === '' ? null : (storage.faultOf(address) ?? (await storage.probe(address)))
    if (fault !== null)
      return critical(`export_target is ${address}, which ${fault}.`, 'Correct it with galley settings set.')
    const state = await readExportState(db)
    if (state === undefined || !(await hasExported(db))) return skipped('nothing was exported yet')
    const { failure, verified, verified_at } = state
    if (failure !== null)
      return critical(
        `The export failed: ${failure}`,
        'Correct that; what was withdrawn may still be there until then.'
      )
    if (installation.baseUrl() === installation.localUrl())
      return degraded(
        `Links in the export begin with ${installation.baseUrl()}, where this process listens: another one writes all pages with its own.`,
        'Set public_url to the address that readers reach the site at.'
      )
    if (verified !== null && verified.findings > 0)
      return degraded(`Files of the export at fault: ${verified.findings}`, 'Run galley export verify --fix.')
    const age = verified_at === null ? 0 : now().getTime() - Date.parse(verified_at)
    if (age > maxVerifiedAgeMs)
      return degraded(
        `The export was last verified at ${verified_at}`,
        'Run galley export verify; a worker does it every night.'
      )
    return ok(`last written at ${state.finished_at}`)
  }
})
