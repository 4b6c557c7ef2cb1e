import { type SettingMap, setting, Type } from '#core'
import { addressSchema } from '#requests'
import { builtInRails } from './rails/built-in.ts'
import { critic } from './rails/critic.ts'
import { nearDuplicate } from './rails/near-duplicate.ts'
import { railSettings } from './rails/rail-settings.ts'

const model = 'models'

export const taskSettings = {
  require_human_approval: setting(Type.Boolean(), {
    default: true,
    describe:
      'Every draft waits for a human. Set to false, together with auto_publish_threshold, to let good drafts publish by themselves.'
  }),
  auto_publish_threshold: setting(Type.Number({ minimum: 0, maximum: 100 }), {
    default: 0,
    describe:
      'QA score from which a draft publishes without a human while require_human_approval is false; 0: never. A draft that is written again after a person turned it down always waits.'
  }),
  qa_final_score_threshold: setting(Type.Number({ minimum: 0, maximum: 100 }), {
    default: 80,
    category: 'qa',
    describe: 'Weighted mean of the QA rails that a draft must reach.'
  }),
  qa_banned_phrases: setting(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500 }), {
    default: [],
    category: 'qa',
    describe: 'Phrases no draft may contain: a JSON list such as ["game changer"].'
  }),
  pipeline_gate_topic_decision: setting(Type.Enum(['on', 'off']), {
    default: 'off',
    category: 'gates',
    describe: 'on: a proposed topic waits for a decision before it is written.'
  }),
  topic_discovery_max_pending: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    default: 50,
    category: 'gates',
    describe: 'Topics that may wait at the gate topic_decision; further proposals are refused.'
  }),
  topic_dedup_threshold: setting(Type.Number({ minimum: 0, maximum: 1 }), {
    default: 0.75,
    category: 'gates',
    describe: 'Similarity to an open topic or a published title, 0–1, from which a proposal counts as a near-duplicate.'
  }),
  default_target_length: setting(Type.Integer({ minimum: 200, maximum: 5000 }), {
    default: 1500,
    describe: 'Words wanted when a task does not say.'
  }),
  writer_max_sources: setting(Type.Integer({ minimum: 1, maximum: 50 }), {
    default: 12,
    describe: 'Texts from memory a writer is given, best matches first.'
  }),
  llm_base_url: setting(addressSchema({ pattern: '^(https?://\\S+)?$', maxLength: 300 }), {
    default: '',
    category: model,
    describe:
      'OpenAI-compatible endpoint of the writer and the critic, such as http://127.0.0.1:11434/v1; empty: the embedded writer, no critic.'
  }),
  llm_api_key: setting(Type.String({ maxLength: 500 }), {
    default: '',
    isSecret: true,
    sentTo: 'llm_base_url',
    describe: 'Key for llm_base_url.'
  }),
  llm_writer_model: setting(Type.String({ maxLength: 200 }), {
    default: '',
    category: model,
    describe: 'Model that writes drafts.'
  }),
  llm_critic_model: setting(Type.String({ maxLength: 200 }), {
    default: '',
    category: model,
    describe: 'Model that judges drafts; empty: no critic.'
  }),
  llm_timeout_seconds: setting(Type.Integer({ minimum: 1, maximum: 600 }), {
    default: 120,
    category: model,
    describe: 'Longest one request to the model may take, in seconds.'
  }),
  llm_max_retries: setting(Type.Integer({ minimum: 0, maximum: 10 }), {
    default: 3,
    category: model,
    describe:
      'How often a model is asked again for a draft, or for a judgement, after a timeout, a 429 or a 5xx; 0: one request, and no other.'
  })
}

const qaSettings: SettingMap = Object.assign({}, ...[...builtInRails, nearDuplicate, critic].map(railSettings))

/** With the two settings of each rail, which are read by name. */
export const allSettings: typeof taskSettings = Object.assign({}, taskSettings, qaSettings)
