import type { Tx } from '../contract/database.ts'
import type { Setting } from '../contract/settings.ts'
import { bindSecrets, lockRow, type SettingRow } from './repository.ts'
import type { DeclaredSetting, StoredSetting } from './types.ts'
import { parseValue, toText } from './values.ts'

/** Scheme, host and port of an address; null of an empty one. What is no URL stands for itself. */
export function urlOrigin(address: string): string | null {
  const text = address.trim()
  if (text === '') return null
  const url = URL.parse(text)
  // Only http and its like have an `origin`; `smtp://host:587` and `s3://bucket` have a host.
  return url === null || url.host === '' ? text : `${url.protocol}//${url.host}`
}

/** What a row makes of a setting that holds an address: its own value when it counts and is valid, else the default. */
export function addressIn(setting: Setting, row: { plain: string; is_active: boolean } | undefined): string {
  const stored = row?.is_active ? parseValue(setting, row.plain) : { fault: 'unset' }
  return toText('value' in stored ? stored.value : setting.default)
}

/** Secrets that belong to an address, by that setting's key. */
export const secretsSentTo = (declared: ReadonlyMap<string, DeclaredSetting>, address: string): string[] =>
  [...declared].filter(([, { setting }]) => setting.sentTo === address).map(([key]) => key)

/** Why a stored secret does not go to an address: it was set for another host. Null when it does, or when nothing is sent. */
export function otherHostFault(row: StoredSetting | undefined, address: string): string | null {
  const origin = urlOrigin(address)
  if (row === undefined || !row.is_active || row.sent_to === null || row.plain === '') return null
  if (origin === null || origin === row.sent_to) return null
  return `${row.key} was set for ${row.sent_to} and is not sent to ${origin}: set it again for that host.`
}

/** The host a secret is set for: the one its address names until this transaction ends; null where there is none. */
export async function destinationIn(
  tx: Tx,
  declared: ReadonlyMap<string, DeclaredSetting>,
  key: string
): Promise<string | null> {
  const sentTo = declared.get(key)?.setting.sentTo
  const address = sentTo === undefined ? undefined : declared.get(sentTo)?.setting
  if (sentTo === undefined || address === undefined) return null
  return originIn(address, (await lockRow(tx, sentTo)) ?? null)
}

/**
 * Binds secrets without a host when their address changes: to the host of the old address, or of the new one when there was
 * none. Returns the rows that were bound.
 */
export async function rebindSecrets(
  tx: Tx,
  declared: ReadonlyMap<string, DeclaredSetting>,
  { key, old, saved }: { key: string; old: SettingRow | null; saved: SettingRow | null }
): Promise<SettingRow[]> {
  const secrets = secretsSentTo(declared, key)
  const address = declared.get(key)?.setting
  if (secrets.length === 0 || address === undefined) return []
  const before = originIn(address, old)
  const now = originIn(address, saved)
  const origin = before ?? now
  return origin === null || before === now ? [] : bindSecrets(tx, secrets, origin)
}

const originIn = (address: Setting, row: SettingRow | null): string | null =>
  urlOrigin(addressIn(address, row === null ? undefined : { ...row, plain: row.value }))
