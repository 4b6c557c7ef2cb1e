import { NotFoundError, type Settings, type SettingsStore } from '#core'
import type { Costs } from '#plugins/costs'
import type { Tasks } from './index.ts'
import { meteredCritic, meteredWriter } from './metered.ts'
import { createModelClient, type ModelClient } from './model/client.ts'
import { createModelCritic } from './model/critic.ts'
import { endpointIn } from './model/endpoint.ts'
import { createModelWriter } from './model/writer.ts'
import type { Critic, Rail, Writer } from './ports.ts'
import { createCriticRail } from './rails/critic.ts'
import { railKeys } from './rails/rail-settings.ts'
import type { taskSettings } from './settings.ts'
import { createEmbeddedWriter } from './writer/embedded-writer.ts'

interface Candidate<Component> {
  create: () => Component
  isChosen: () => boolean
}

/** The writers, critics and rails that plugins registered, and which of them is in use now. */
export interface PipelineRegistry extends Pick<Tasks, 'registerRail' | 'registerWriter' | 'registerCritic'> {
  writer(): Writer
  /** The built-in rails, those of plugins, and the critic's. */
  rails(): readonly Rail[]
  hasCritic(): boolean
}

interface RegistryDeps {
  settings: Settings<typeof taskSettings>
  store: Pick<SettingsStore, 'value'>
  costs: Costs | undefined
}

export function createPipelineRegistry(
  { settings, store, costs }: RegistryDeps,
  builtIn: readonly Rail[]
): PipelineRegistry {
  const rails = [...builtIn]
  const hasModel = () => settings.get('llm_base_url') !== '' && settings.get('llm_writer_model') !== ''
  const hasCriticModel = () => settings.get('llm_base_url') !== '' && settings.get('llm_critic_model') !== ''
  const embedded = createEmbeddedWriter()
  const client = createClientCache(settings, costs)
  const writers: Candidate<Writer>[] = [
    { create: () => embedded, isChosen: () => true },
    {
      create: () =>
        createModelWriter({
          client: client(),
          model: settings.get('llm_writer_model'),
          maxRetries: settings.get('llm_max_retries')
        }),
      isChosen: hasModel
    }
  ]
  const critics: Candidate<Critic>[] = [
    {
      create: () => createModelCritic({ client: client(), model: settings.get('llm_critic_model') }),
      isChosen: hasCriticModel
    }
  ]
  const chosen = <Component>(candidates: Candidate<Component>[]): Component | undefined =>
    candidates.findLast(candidate => candidate.isChosen())?.create()

  return {
    registerWriter(writer, isChosen) {
      const metered = meteredWriter(costs, writer)
      writers.push({ create: () => metered, isChosen })
    },
    registerCritic(critic, isChosen) {
      const metered = meteredCritic(costs, critic)
      critics.push({ create: () => metered, isChosen })
    },
    registerRail(rail) {
      if (rails.some(({ name }) => name === rail.name)) throw new TypeError(`the rail ${rail.name} is registered twice`)
      requireSettings(store, rail.name)
      rails.push(rail)
    },
    writer: () => chosen(writers) ?? embedded,
    rails: () => [...rails, createCriticRail(chosen(critics))],
    hasCritic: () => critics.some(({ isChosen }) => isChosen())
  }
}

/** Without them every draft would fail when its checks begin. */
function requireSettings(store: Pick<SettingsStore, 'value'>, name: string): void {
  const missing = Object.values(railKeys(name)).filter(key => !isDeclared(store, key))
  if (missing.length > 0)
    throw new TypeError(
      `the rail ${name} has no setting ${missing.join(' and ')}: spread railSettings(rail) into the settings of the plugin`
    )
}

function isDeclared(store: Pick<SettingsStore, 'value'>, key: string): boolean {
  try {
    store.value(key)
    return true
  } catch (error) {
    if (error instanceof NotFoundError) return false
    throw error
  }
}

/** One client for as long as its settings stay the same: it remembers what form of question the endpoint takes. */
function createClientCache(settings: Settings<typeof taskSettings>, costs: Costs | undefined): () => ModelClient {
  let last: { key: string; client: ModelClient } | undefined
  return () => {
    const options = {
      ...endpointIn(settings),
      timeoutSeconds: settings.get('llm_timeout_seconds'),
      maxRetries: settings.get('llm_max_retries')
    }
    const key = JSON.stringify(options)
    if (last?.key !== key) last = { key, client: createModelClient({ ...options, costs }) }
    return last.client
  }
}
