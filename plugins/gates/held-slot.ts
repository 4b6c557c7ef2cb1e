import { formatInstant } from '#time'
import { defaultGateName, type Held } from './index.ts'

/**
 * The slot of what waits, and what an approval does once it has passed; null without one. At another gate than the default one
 * a post waits because its slot is reached.
 */
export function slotText(
  { gate_name, slot }: Pick<Held, 'gate_name' | 'slot'>,
  timeZone: string,
  now: Date
): string | null {
  if (slot === null) return null
  const hasPassed = gate_name === defaultGateName && Date.parse(slot) <= now.getTime()
  return `${formatInstant(slot, timeZone)}${hasPassed ? ' (passed: approving publishes at once)' : ''}`
}
