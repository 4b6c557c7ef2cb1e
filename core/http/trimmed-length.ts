/** The bounds of a text whose blanks at either end do not count; whole characters are counted. */
export interface TrimmedLength {
  minimum: number
  maximum: number
}

/** A keyword’s check, as the validator calls it: what it found wrong is left at `errors`. */
export interface TrimmedLengthCheck {
  (bounds: TrimmedLength, text: string): boolean
  errors?: { keyword: string; params: TrimmedLength }[]
}

const check: TrimmedLengthCheck = (bounds, text) => {
  const { length } = [...text.trim()]
  if (length >= bounds.minimum && length <= bounds.maximum) return true
  check.errors = [{ keyword: 'trimmedLength', params: bounds }]
  return false
}

/** JSON Schema cannot say it, and a check after the schema's would leave its fault out while there are others. */
export const trimmedLength = { keyword: 'trimmedLength', type: 'string' as const, errors: true, validate: check }
