const days = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const months = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const time = String.raw`\d{2}:\d{2}:\d{2}`
/** The form of today, and the two that RFC 9110 §5.6.7 still has readers accept. The last names no zone: it is in UTC, too. */
const forms = [
  new RegExp(String.raw`^${days}, \d{2} ${months} \d{4} ${time} GMT$`),
  new RegExp(String.raw`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-${months}-\d{2} ${time} GMT$`)
]
const withoutZone = new RegExp(String.raw`^${days} ${months} [ \d]\d ${time} \d{4}$`)

/** The milliseconds of a date in a header; undefined for what is none, which a condition by date is ignored for. */
export function httpDate(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  const isWithoutZone = withoutZone.test(text)
  if (!isWithoutZone && !forms.some(form => form.test(text))) return undefined
  const ms = Date.parse(isWithoutZone ? `${text} GMT` : text)
  return Number.isNaN(ms) ? undefined : ms
}
