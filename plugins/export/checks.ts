import { type Check, critical, type Db, degraded, ok, type SettingsStore, skipped } from '#core'
import { hasExported, lastRunOf, readExportState, readVerified } from './repository/export.ts'
import { openTarget, type TargetDeps, targetFault } from './target.ts'

const maxVerifiedAgeMs = 3 * 86_400_000

interface ExportCheckDeps extends TargetDeps {
  db: Db
  /** Absent, nobody knows whether `public_url` is set. */
  store: Pick<SettingsStore, 'value'> | undefined
  now(): Date
}

const setPublicUrl = 'Set public_url to the address that readers reach the site at.'

/** What `galley doctor` says of the export. */
export const exportCheck = ({ db, storage, store, settings, installation, now }: ExportCheckDeps): Check => ({
  name: 'static export',
  async run() {
    const target = settings.get('export_target')
    const hasPublicUrl = store?.value('public_url') !== ''
    const fault = targetFault(target, { storage, installation }) ?? (await storage.probe(target))
    if (fault !== null)
      return critical(`export_target is ${target}, which ${fault}.`, 'Correct it with galley settings set.')
    const state = await readExportState(db)
    if (state === undefined || !(await hasExported(db))) return skipped('nothing was exported yet')
    const { failure } = state
    if (failure !== null)
      return critical(
        `The export failed: ${failure}`,
        'Correct that; what was withdrawn may still be there until then.'
      )
    const { store: targetStore } = openTarget({ storage, settings, installation })
    const { finished_at } = lastRunOf(state, targetStore.name)
    if (finished_at === null && state.finished_at !== null)
      return degraded(
        `Nothing was written to ${targetStore.name} yet`,
        'Run galley export refresh; a worker does it soon.'
      )
    const { verified, verified_at } = await readVerified(db, targetStore.name)
    if (verified !== null && verified.findings > 0)
      return degraded(
        `Files of the export at fault: ${verified.findings}${verified.has_waiting ? ', some of which may be changes that wait to be written' : ''}`,
        hasPublicUrl ? 'Run galley export verify --fix.' : `${setPublicUrl} Then run galley export verify --fix.`
      )
    const age = verified_at === null ? 0 : now().getTime() - Date.parse(verified_at)
    if (age > maxVerifiedAgeMs)
      return degraded(
        `The export was last verified at ${verified_at}`,
        'Run galley export verify; a worker does it every night.'
      )
    if (hasPublicUrl) return ok(`last written at ${finished_at}`)
    // The first publication begins the export in the home: nobody may have asked for it.
    return target === ''
      ? ok(`last written at ${finished_at}; before you use its files, set public_url, which their links begin with`)
      : degraded('public_url is empty, so that each process writes links to itself into all pages.', setPublicUrl)
  }
})
