import type { Setting } from '../contract/settings.ts'
import { addressIn, otherHostFault } from './destination.ts'
import type { DeclaredSetting, StoredSetting } from './types.ts'
import { parseValue } from './values.ts'

/** Why stored values do not count. What is not valid is remembered until `clear`. */
export function createFaults(
  declared: ReadonlyMap<string, DeclaredSetting>,
  rowOf: (key: string) => StoredSetting | undefined
) {
  /** As far as it was asked, by key: to parse a value costs more than to look here. */
  const invalid = new Map<string, string | null>()
  /** The address a secret goes to, as it is now; empty for one that is sent nowhere. */
  const addressOf = (key: string): string => {
    const { sentTo = '' } = declared.get(key)?.setting ?? {}
    const address = declared.get(sentTo)?.setting
    return address === undefined ? '' : addressIn(address, rowOf(sentTo))
  }
  const otherHost = (key: string) => otherHostFault(rowOf(key), addressOf(key))
  /** Its plugin may have changed its bounds since it was stored, or somebody its row. */
  const invalidIn = (key: string): string | null => {
    const known = invalid.get(key)
    if (known !== undefined) return known
    const fault = invalidityOf(rowOf(key), declared.get(key)?.setting)
    invalid.set(key, fault)
    return fault
  }
  return {
    clear: () => invalid.clear(),
    /** That of a value that is not valid, or of a secret set for another host than its address names now. */
    of: (key: string): string | null => invalidIn(key) ?? otherHost(key),
    /** The row for a reader, which parses by itself and says what is not valid. */
    rowToParse(key: string): StoredSetting | undefined {
      const row = rowOf(key)
      return row?.isUnreadable || otherHost(key) !== null ? undefined : row
    }
  }
}

/** Why a stored value does not count, as a sentence; null when it does, or when it is switched off. */
function invalidityOf(row: StoredSetting | undefined, definition: Setting | undefined): string | null {
  if (row === undefined || !row.is_active) return null
  if (row.isUnreadable) return `The stored value of ${row.key} does not decrypt, and is not used: set it again.`
  if (definition === undefined) return null
  const read = parseValue(definition, row.plain)
  return 'fault' in read
    ? `The stored value of ${row.key} is not valid: it ${read.fault}. Its default is in use.`
    : null
}
