import type { Settings, SettingsStore } from '#core'
import type { DefaultGate } from '#plugins/gates'
import type { Rail } from './pipeline.ts'
import type { QaSettings, RailMode } from './qa.ts'
import { countTasks } from './repository.ts'
import type { taskSettings } from './settings.ts'

/** The sign-off every draft waits for, and the score from which it may be skipped. */
export function defaultGate(
  settings: Settings<typeof taskSettings>
): DefaultGate & { autoPublishFrom(): number | null } {
  return {
    countPending: db => countTasks(db, 'awaiting_approval'),
    posture: () => ({
      auto_publish_threshold: settings.get('auto_publish_threshold'),
      require_human_approval: settings.get('require_human_approval')
    }),
    autoPublishFrom() {
      const threshold = settings.get('auto_publish_threshold')
      return settings.get('require_human_approval') || !(threshold > 0) ? null : threshold
    }
  }
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

function railSettingsOf(store: SettingsStore, rail: Rail): { mode: RailMode; threshold: number } {
  return {
    mode: store.value(`qa_rail_${rail.name}`) as RailMode,
    threshold: Number(store.value(`qa_rail_${rail.name}_threshold`))
  }
}
