import { InputError } from '../contract/errors.ts'
import type { Setting } from '../contract/settings.ts'
import { isEncrypted } from '../secrets.ts'
import { textFault } from '../text-rules.ts'
import { unknownKey } from './reader.ts'
import type { NewSettingRow } from './repository.ts'
import type { DeclaredSetting, FaultOfValue, SetOptions, StoredSetting } from './types.ts'
import { parseValue } from './values.ts'
import { mask, settingCategory } from './view.ts'

export const settingKey = /^[a-z][a-z0-9_.-]{0,127}$/
export const settingKeyForm = 'must be 1–128 characters: lower-case letters, digits, _ . -'

/** What is known of a key before a value is stored under it. */
interface KnownSetting {
  declared: DeclaredSetting | undefined
  existing: StoredSetting | undefined
  /** Settings that hold what is sent to the address in this one. */
  secrets: readonly string[]
  /** What its plugin says of a value that the schema cannot judge. */
  validate: FaultOfValue | undefined
}

/**
 * The row that a value becomes, in plain text still.
 * @throws NotFoundError for an unknown key, InputError for a key or value that cannot be stored.
 */
export function rowToSave(
  key: string,
  value: string,
  options: SetOptions,
  { declared, existing, secrets, validate }: KnownSetting
): Omit<NewSettingRow, 'sent_to'> {
  const definition = declared?.setting
  if (definition === undefined && existing === undefined && !options.allowNew && !options.secret) throw unknownKey(key)
  if (!settingKey.test(key)) throw new InputError({ key: settingKeyForm })
  if (options.secret && definition !== undefined && definition.isSecret !== true)
    throw new InputError({ secret: publicFault }, `${key} ${publicFault}.`)
  const isSecret = definition?.isSecret === true || existing?.is_secret === true || options.secret === true
  const exposed = isSecret || definition === undefined ? null : credentialsFault(secrets, value)
  const fault =
    isSecret && value === mask ? maskFault : (exposed ?? faultOf(definition, value) ?? validate?.(value) ?? null)
  if (fault !== null) throw valueFault(key, fault, isSecret ? null : value)
  const category = options.category ?? existing?.category ?? settingCategory(definition, declared?.plugin, isSecret)
  return { key, value, is_secret: isSecret, category }
}

/** The error for a value that is refused. It is repeated after "must be …", and not where it is null, as of a secret. */
export function valueFault(key: string, fault: string, value: string | null): InputError {
  const isRepeated = value !== null && value.length <= 80 && fault.startsWith('must')
  const said = isRepeated ? `${fault}, not ${JSON.stringify(value)}` : fault
  return new InputError({ value: said }, `${key} ${said}.`)
}

const publicFault = 'is a setting that everybody with access may read, and cannot be made a secret'

/** A client that sends back what it read would put the mask in the secret's place. */
const maskFault = `must be the secret itself: ${mask} only stands for it`

/** Not "must …": the value would be repeated. */
function credentialsFault(secrets: readonly string[], value: string): string | null {
  const url = URL.parse(value.trim())
  if (url === null || (url.username === '' && url.password === '')) return null
  const advice = secrets.length === 0 ? '' : `, and set ${secrets.join(' or ')} instead`
  return `has a user or a password in its address, which everybody with access would read: leave them out${advice}`
}

function faultOf(definition: Setting | undefined, value: string): string | null {
  if (isEncrypted(value)) return 'must be given in plain text: it looks like an encrypted value'
  if (value.length > 65_536) return 'must be at most 65536 characters'
  const fault = textFault(value)
  if (fault !== undefined) return fault
  if (definition === undefined) return null
  const result = parseValue(definition, value)
  return 'fault' in result ? result.fault : null
}
