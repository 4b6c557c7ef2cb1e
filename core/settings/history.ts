import type { Tx } from '../contract/database.ts'
import { recordAudit } from '../db/audit.ts'
import type { SettingChange, SettingRow } from './repository.ts'

/** Who a change without a name is counted to: a person at the machine. */
const localActor = 'operator'

/** Records a change in the audit log, of a secret without its values. A value stored again unchanged is no change. */
export async function recordChange(tx: Tx, { saved, old }: SettingChange, actor = localActor): Promise<void> {
  const { key, is_secret, category } = saved
  const moved = old !== null && old.category !== category ? { old_category: old.category, category } : {}
  if (is_secret) {
    await recordAudit(tx, { event_type: 'settings.changed', actor, details: { key, is_secret, ...moved } })
    return
  }
  if (old?.value === saved.value && Object.keys(moved).length === 0) return
  const details = { key, is_secret, old: old?.value ?? null, new: saved.value, ...moved }
  await recordAudit(tx, { event_type: 'settings.changed', actor, details })
}

/** The same for one whose stored value was deleted, so that its default counts. */
export async function recordUnset(tx: Tx, { key, is_secret, value }: SettingRow, actor = localActor): Promise<void> {
  const details = is_secret ? { key, is_secret } : { key, is_secret, old: value, new: null }
  await recordAudit(tx, { event_type: 'settings.unset', actor, details })
}

/** The same for one that is switched off, which puts the default in the place of its value, or on again. */
export async function recordSwitch(tx: Tx, key: string, isActive: boolean, actor = localActor): Promise<void> {
  const event_type = isActive ? 'settings.enabled' : 'settings.disabled'
  await recordAudit(tx, { event_type, actor, details: { key } })
}
