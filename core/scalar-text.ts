const forms: ReadonlyMap<string, RegExp> = new Map([
  ['integer', /^-?\d{1,15}$/],
  ['number', /^-?\d{1,15}(\.\d{1,15})?$/],
  ['boolean', /^(?:true|false)$/]
])

/** The number or the boolean that a text stands for, by the `type` of a JSON schema; undefined where it stands for none. */
export function readScalar(type: string, text: string): number | boolean | undefined {
  if (forms.get(type)?.test(text) !== true) return undefined
  return type === 'boolean' ? text === 'true' : Number(text)
}
