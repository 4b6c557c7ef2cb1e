/** The five fields of a cron expression with the numbers each takes; 7 is Sunday, too. */
const fields = [
  ['minute', 0, 59],
  ['hour', 0, 23],
  ['day of the month', 1, 31],
  ['month', 1, 12],
  ['day of the week', 0, 7]
] as const

/** Why a text is no cron expression, such as `0 4 * * mon`; null for one. The queue itself would say so while it starts. */
export function cronFault(cron: string): string | null {
  const given = cron.trim().split(/\s+/)
  if (given.length !== fields.length)
    return `"${cron}" is no cron expression: it has ${given.length} fields instead of ${fields.length}`
  const wrong = fields.find(([, min, max], at) => !isField(given[at] ?? '', min, max))
  return wrong === undefined ? null : `"${cron}" is no cron expression: see its ${wrong[0]}`
}

/** `*`, numbers and names, ranges and steps of them, in a list. */
const isField = (field: string, min: number, max: number): boolean =>
  field.split(',').every(part => {
    const [range = '', step, ...more] = part.split('/')
    const isStep = step === undefined || (/^\d+$/.test(step) && Number(step) > 0)
    return more.length === 0 && isStep && range.split('-').every(end => isEnd(end, min, max))
  })

const isEnd = (end: string, min: number, max: number): boolean =>
  /^\d+$/.test(end) ? Number(end) >= min && Number(end) <= max : /^(?:[*?]|[a-z]{3}|\d?L|\d#\d)$/i.test(end)
