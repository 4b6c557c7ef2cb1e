const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const
type Unit = keyof typeof unitMs

const whole = /^(?:\d{1,9}[smhd])+$/
const part = /(\d+)([smhd])/g

/** Ten years: longer is a slip of the keyboard. */
const longestMs = 3_660 * unitMs.d

/** Said where a text is not one. */
export const durationForm = 'a duration such as 30m, 2h, 1d or 1h30m, longer than 0 and at most ten years'

/** Milliseconds of a text such as `30m`, `2h`, `1d` or `1h30m`; null for anything else. A day is 24 hours. */
export function parseDuration(text: string): number | null {
  if (!whole.test(text)) return null
  let ms = 0
  for (const [, amount, unit] of text.matchAll(part)) ms += Number(amount) * unitMs[unit as Unit]
  return ms > 0 && ms <= longestMs ? ms : null
}

/** The same, backwards with a leading `-`. */
export function parseSignedDuration(text: string): number | null {
  const ms = parseDuration(text.replace(/^[+-]/, ''))
  return ms !== null && text.startsWith('-') ? -ms : ms
}

/** Whole seconds as `parseSignedDuration` reads them: `1h30m`, `-2d`. */
export function showDuration(ms: number): string {
  let rest = Math.abs(ms)
  let text = ''
  for (const [unit, length] of Object.entries(unitMs)) {
    const amount = Math.floor(rest / length)
    if (amount > 0) text += `${amount}${unit}`
    rest -= amount * length
  }
  return text === '' ? '0s' : `${ms < 0 ? '-' : ''}${text}`
}
