import type { Settings, SettingsStore } from '#core'
import type { Rail } from './ports.ts'
import { critic } from './rails/critic.ts'
import { minRefusedSimilarity, nearDuplicate } from './rails/near-duplicate.ts'
import { type QaSettings, type RailMode, railModes } from './rails/qa.ts'
import { railKeys } from './rails/rail-settings.ts'
import type { taskSettings } from './settings.ts'

/** The score from which a draft publishes without a human; null: a human decides whatever the score. */
export function minAutoPublishScore(settings: Settings<typeof taskSettings>): number | null {
  const threshold = settings.get('auto_publish_threshold')
  return settings.get('require_human_approval') || !(threshold > 0) ? null : threshold
}

/** What the settings say about the checks, those of rails that other plugins brought included. */
export function qaSettingsOf(
  store: SettingsStore,
  settings: Settings<typeof taskSettings>,
  rails: readonly Rail[]
): QaSettings {
  return {
    scoreThreshold: settings.get('qa_final_score_threshold'),
    bannedPhrases: settings.get('qa_banned_phrases'),
    rails: Object.fromEntries(rails.map(rail => [rail.name, railSettingsOf(store, rail)]))
  }
}

/** What the settings say about one rail. */
function railSettingsOf(store: SettingsStore, rail: Pick<Rail, 'name'>): { mode: RailMode; threshold: number } {
  const keys = railKeys(rail.name)
  const stored = store.value(keys.mode)
  // A stored value is one of the setting's own, or its default.
  const mode = railModes.find(name => name === stored) ?? 'required'
  return { mode, threshold: Number(store.value(keys.threshold)) }
}

/** Whether no draft passes its checks without a critic. */
export const isCriticRequired = (store: SettingsStore): boolean => railSettingsOf(store, critic).mode === 'required'

/** The similarity from which the rail `near_duplicate` rejects a draft; null: it rejects none. */
export const nearDuplicateLimit = (store: SettingsStore): number | null =>
  minRefusedSimilarity(railSettingsOf(store, nearDuplicate))
