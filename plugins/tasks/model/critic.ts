import { Type } from '#core'
import { oneLine } from '#text/excerpts'
import type { Critic } from '../ports.ts'
import type { ModelClient } from './client.ts'
import { criticPrompt, criticSystem } from './prompts.ts'

const CriticFinding = Type.Object(
  { score: Type.Number({ minimum: 0, maximum: 100 }), note: Type.String({ minLength: 1, maxLength: 2000 }) },
  { additionalProperties: false }
)

/** Judges with a chat model, best another than the one that writes. */
export function createModelCritic({ client, model }: { client: ModelClient; model: string }): Critic {
  return {
    name: `model:${model}`,
    async judge(assignment, draft, signal) {
      const user = criticPrompt(assignment, draft)
      const { value } = await client.complete({
        model,
        system: criticSystem,
        user,
        schema: CriticFinding,
        signal
      })
      return { score: Math.round(value.score), note: oneLine(value.note).slice(0, 500) }
    }
  }
}
