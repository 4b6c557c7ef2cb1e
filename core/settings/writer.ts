import type { Changes } from '../contract/changes.ts'
import type { Db, Tx } from '../contract/database.ts'
import type { Secrets } from '../secrets.ts'
import type { SettingsCache } from './cache.ts'
import { readStored, requireMasterKey } from './decrypt.ts'
import { destinationIn, rebindSecrets, secretsSentTo } from './destination.ts'
import { recordChange, recordSwitch, recordUnset } from './history.ts'
import { rowToSave, valueFault } from './new-value.ts'
import type { SettingsReader } from './reader.ts'
import { deleteRow, listSecrets, lockSecrets, type SettingRow, saveActive, saveRow } from './repository.ts'
import type { DeclaredSetting, FaultOfValue, SetOptions, SettingsStore, SettingView } from './types.ts'
import { toText } from './values.ts'

interface WriterDeps {
  db: Db
  secrets: Secrets
  changes: Changes
  declared: ReadonlyMap<string, DeclaredSetting>
  rows: SettingsCache
  reader: SettingsReader
}

/** What changes stored settings: each change is one transaction with its audit row. */
type SettingsWriter = Pick<SettingsStore, 'write' | 'set' | 'setActive' | 'unset' | 'check'>

export function createSettingsWriter(deps: WriterDeps): SettingsWriter {
  const { db, declared, rows, reader } = deps
  const checks = new Map<string, FaultOfValue>()
  const probes = new Map<string, (value: string) => Promise<string | null>>()
  const rowFor = (key: string, value: string, options: SetOptions) =>
    rowToSave(key, value, options, {
      declared: declared.get(key),
      existing: rows.get(key),
      secrets: secretsSentTo(declared, key),
      validate: checks.get(key)
    })
  const write: SettingsWriter['write'] = async (tx, key, value, options = {}) => {
    const row = rowFor(key, value, options)
    const sent_to = await destinationIn(tx, declared, key)
    const stored = row.is_secret ? await encryptIn(tx, deps, key, value) : value
    const change = await saveRow(tx, { ...row, value: stored, sent_to })
    await recordChange(tx, change, options.actor)
    await publishChange(tx, deps, key, change)
  }
  return {
    check(key, validate, probe) {
      checks.set(key, validate)
      if (probe !== undefined) probes.set(key, probe)
    },
    write,
    async set(key, value, options = {}) {
      // What is refused here is not asked of others.
      rowFor(key, value, options)
      const fault = (await probes.get(key)?.(value)) ?? null
      if (fault !== null) throw valueFault(key, fault, null)
      await db.transaction(tx => write(tx, key, value, options))
      return reader.find(key)
    },
    async setActive(key, isActive, { actor } = {}) {
      const view = reader.find(key)
      // What is not stored is its default already: storing that would keep it when a release changes the default.
      if (isActive && rows.get(key) === undefined) return view
      await db.transaction(tx => switchRow(tx, deps, view, isActive, actor))
      return reader.find(key)
    },
    async unset(key, { actor } = {}) {
      const before = reader.find(key)
      await db.transaction(tx => removeRow(tx, deps, before, actor))
      return declared.has(key)
        ? reader.find(key)
        : { ...before, value: '', is_active: true, fault: null, updated_at: null }
    }
  }
}

async function switchRow(
  tx: Tx,
  deps: WriterDeps,
  { key, category, is_secret }: SettingView,
  isActive: boolean,
  actor: string | undefined
): Promise<void> {
  const fallback = toText(deps.declared.get(key)?.setting.default ?? '')
  const value = is_secret ? await encryptIn(tx, deps, key, fallback) : fallback
  const saved = await saveActive(tx, isActive, { key, value, is_secret, category, sent_to: null })
  if (saved === null) return
  await recordSwitch(tx, key, isActive, actor)
  await publishChange(tx, deps, key, { old: { ...saved, is_active: !isActive }, saved })
}

async function removeRow(tx: Tx, deps: WriterDeps, before: SettingView, actor: string | undefined): Promise<void> {
  const old = await deleteRow(tx, before.key)
  if (old === undefined) return
  // A row from before its key became a secret holds one in plain text.
  await recordUnset(tx, { ...old, is_secret: old.is_secret || before.is_secret }, actor)
  await publishChange(tx, deps, before.key, { old, saved: null })
}

/** Another process may have rotated the key a moment ago: the stored secrets show which one counts. */
async function encryptIn(tx: Tx, { secrets }: WriterDeps, key: string, plain: string): Promise<string> {
  await lockSecrets(tx, 'row exclusive')
  const stored = await listSecrets(tx)
  requireMasterKey(stored.map(each => readStored(secrets, { ...asSecret, ...each })))
  return secrets.encrypt(key, plain)
}

/** Puts a changed row into effect: here after the commit, in other processes by a notification. */
async function publishChange(
  tx: Tx,
  { changes, declared, rows }: WriterDeps,
  key: string,
  { old, saved }: { old: SettingRow | null; saved: SettingRow | null }
): Promise<void> {
  const bound = await rebindSecrets(tx, declared, { key, old, saved })
  rows.apply(tx, saved === null ? { saved: bound, deleted: [key] } : { saved: [saved, ...bound], deleted: [] })
  await changes.touch(tx, 'settings')
}

/** What a secret's row has beside its key and value, where only these were read. */
const asSecret = { is_secret: true, is_active: true, category: 'secrets', sent_to: null, updated_at: '' }
