import { oneLine, truncateText } from '#text/excerpts'
import type { RailFinding } from '../ports.ts'

const maxShown = 5

/**
 * A finding made of separate faults: 100 without any, less `cost` for each. A cost above 100 minus the rail's threshold
 * makes any one of them fail it.
 */
export function findingOf(faults: readonly string[], cost: number, fine: string): RailFinding {
  if (faults.length === 0) return { score: 100, note: fine }
  const more = faults.length > maxShown ? `; and ${faults.length - maxShown} more` : ''
  return { score: Math.max(0, 100 - cost * faults.length), note: `${faults.slice(0, maxShown).join('; ')}${more}.` }
}

/** A passage for a note: one line, at most 80 characters. */
export const quote = (text: string): string => `"${truncateText(oneLine(text), 80)}"`
