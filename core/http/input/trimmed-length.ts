/** Bounds of a text's length in whole characters, without blanks at either end. Invisible characters do not count for the minimum. */
interface TrimmedLength {
  minimum: number
  maximum: number
}

/** A keyword’s check, as the validator calls it: what it found wrong is left at `errors`. */
export interface TrimmedLengthCheck {
  (bounds: TrimmedLength, text: string): boolean
  errors?: { keyword: string; params: TrimmedLength }[]
}

/** A text in which a reader sees something; as a schema's `pattern`. */
export const visibleTextPattern = '[^\\s\\p{Default_Ignorable_Code_Point}]'
const invisible = /\p{Default_Ignorable_Code_Point}/gu

const check: TrimmedLengthCheck = (bounds, text) => {
  const { length } = [...text.trim()]
  const seen = [...text.replace(invisible, '').trim()].length
  if (seen >= bounds.minimum && length <= bounds.maximum) return true
  check.errors = [{ keyword: 'trimmedLength', params: bounds }]
  return false
}

/** JSON Schema cannot say it, and a check after the schema's would leave its fault out while there are others. */
export const trimmedLength = { keyword: 'trimmedLength', type: 'string' as const, errors: true, validate: check }
