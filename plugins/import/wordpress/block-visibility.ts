import { isObject } from '#core'

/** Whether `blockVisibility` of a block hides it from some readers. `attributes`: what its mark has, as JSON. */
export function isVisibilityLimited(attributes: string): boolean {
  let isLimited = false
  try {
    JSON.parse(attributes, (name, value: unknown) => {
      if (name === 'blockVisibility' && (value === false || (value !== true && isCondition(name, value))))
        isLimited = true
      return value
    })
  } catch {
    // What cannot be read may say anything.
    return true
  }
  return isLimited
}

/** Said by the plugin where everybody is shown a block, or everybody who is not logged in. */
const openRoles: readonly unknown[] = ['all', 'public', 'logged-out']
/** Conditions that are the same for whoever reads. */
const noReaders: ReadonlySet<string> = new Set(['browserDevice', 'location', 'urlPath'])

/** A condition of WordPress itself or of the plugin Block Visibility, in any of its versions, that some readers do not meet. */
function isCondition(name: string, value: unknown): boolean {
  if (noReaders.has(name) || isNothing(value)) return false
  // A block is hidden from everybody where it is hidden at every size.
  if (name === 'viewport') return isEach(value, ['mobile', 'tablet', 'desktop'], false)
  if (name === 'hideOnScreenSize') return isEach(value, ['large', 'medium', 'small'], true)
  if (name === 'visibilityByRole') return !openRoles.includes(value)
  if (!isObject(value)) return true
  if (name === 'screenSize') return isCondition('hideOnScreenSize', value.hideOnScreenSize)
  if (name === 'userRole') return !openRoles.includes(value.visibilityByRole)
  if (name === 'dateTime' && Array.isArray(value.schedules)) return value.schedules.some(isOn)
  if (name === 'controlSets') return Array.isArray(value) && value.some(isLimitingSet)
  if (name === 'blockVisibility') return Object.entries(value).some(entry => isCondition(...entry))
  return isOn(value)
}

function isLimitingSet(set: unknown): boolean {
  if (!isObject(set) || !isObject(set.controls)) return true
  return isOn(set) && Object.entries(set.controls).some(entry => isCondition(...entry))
}

const isOn = (value: unknown): boolean => !isObject(value) || value.enable !== false

const isNothing = (value: unknown): boolean => !value || (isObject(value) && Object.keys(value).length === 0)

const isEach = (value: unknown, names: readonly string[], expected: boolean): boolean =>
  isObject(value) && names.every(name => value[name] === expected)
