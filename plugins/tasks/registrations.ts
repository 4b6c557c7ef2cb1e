import type { Db, SettingsStore } from '#core'
import type { Costs } from '#plugins/costs'
import type { EventLogs } from '#plugins/events'
import type { DefaultGate, GateDefinition, Gates } from '#plugins/gates'
import type { Posts } from '#plugins/posts'
import { pipelineLog } from './event-log.ts'
import { faultOfPhrases } from './rails/banned-phrases.ts'
import { countByStatus, listTaskIds } from './repository/tasks.ts'

interface RegistrationContext {
  needs: {
    posts: Posts
    gates: Gates
    costs: Costs | undefined
    store: Pick<SettingsStore, 'check'>
    logs: EventLogs | undefined
  }
  db: Db
}

interface Registered {
  topicGate: GateDefinition
  defaultGate: DefaultGate
  duplicateThreshold: () => number | null
}

/** Registers with the plugins it needs: its gates, the ids and counts of tasks, their history, and what no banned phrase may be. */
export function registerTasks(
  { needs: { posts, gates, costs, store, logs }, db }: RegistrationContext,
  { topicGate, defaultGate, duplicateThreshold }: Registered
): void {
  store.check('qa_banned_phrases', faultOfPhrases)
  posts.setDuplicateThreshold(duplicateThreshold)
  gates.registerGate(topicGate)
  gates.registerDefaultGate(defaultGate)
  gates.registerSubjectIds({ list: listTaskIds })
  costs?.registerTasks(countByStatus)
  logs?.registerPipelineLog(pipelineLog(db))
}
