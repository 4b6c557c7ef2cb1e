import { type Setting, setting, Type } from '#core'
import type { Rail } from '../ports.ts'

/** The keys of a rail's two settings. */
export const railKeys = (name: string) => ({ mode: `qa_rail_${name}`, threshold: `qa_rail_${name}_threshold` })

/** The two settings of a rail: whether it counts, and the score it asks for. A plugin that brings a rail declares these. */
export function railSettings(rail: Omit<Rail, 'check'>): Record<string, Setting> {
  const keys = railKeys(rail.name)
  return {
    [keys.mode]: setting(Type.Enum(['required', 'advisory', 'off']), {
      default: rail.mode,
      category: 'qa',
      describe: `${rail.describe} required: a failure rejects the draft; advisory: it only counts in the score.`
    }),
    [keys.threshold]: setting(Type.Number({ minimum: 0, maximum: 100 }), {
      default: rail.threshold,
      category: 'qa',
      describe: `Score below which the rail ${rail.name} fails.`
    })
  }
}
