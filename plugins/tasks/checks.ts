import { type Check, type CheckContext, type Db, degraded, type Finding, ok, type Settings, skipped } from '#core'
import { readResponseStart, requestFailure, serverMessage } from '#requests'
import { pluralized } from '#text/plural'
import { DraftTask, PickUpTask, QaTask, ReclaimTask, ResearchTask } from './job-types.ts'
import { chatUrl, endpointIn, headersOf, type ModelEndpoint } from './model/endpoint.ts'
import { ModelError } from './model/errors.ts'
import { type Disagreement, listDisagreements } from './repository/posts.ts'
import { listUnfinishedTasks } from './repository/tasks.ts'
import type { taskSettings } from './settings.ts'

/** What `galley doctor` asks of the tasks. */
export const taskChecks = (
  db: Db,
  settings: Settings<typeof taskSettings>,
  isCriticMissing: () => boolean
): Check[] => [
  { name: 'stuck tasks', run: ({ unfinished }) => findStuck(db, unfinished) },
  { name: 'tasks and posts', run: () => findDisagreements(db) },
  { name: 'critic', run: async () => (isCriticMissing() ? noCritic : ok('it is there, or not required')) },
  { name: 'model endpoint', run: ({ signal }) => checkEndpoint(settings, signal) }
]

const noCritic = degraded(
  'qa_rail_critic is required, and there is no critic: every draft is rejected.',
  'Set llm_base_url and llm_critic_model, or qa_rail_critic to advisory, with galley settings set.'
)

/** An unfinished task has a job; one without is never moved again. */
async function findStuck(db: Db, unfinished: CheckContext['unfinished']): Promise<Finding> {
  // Tasks first: a task that was made since then has its job.
  const tasks = await listUnfinishedTasks(db)
  const jobs = await unfinished<{ task_id: string }>(PickUpTask, ReclaimTask, ResearchTask, DraftTask, QaTask)
  const moving = new Set(jobs.map(({ task_id }) => task_id))
  const suspects = tasks.filter(({ task_id }) => !moving.has(task_id))
  if (suspects.length === 0) return ok(`${tasks.length} under way, each with its job`)
  // A stage may have ended between the two reads.
  const still = new Set((await listUnfinishedTasks(db)).map(stateOf))
  const stuck = suspects.filter(task => still.has(stateOf(task)))
  if (stuck.length === 0) return ok(`${tasks.length} under way, each with its job`)
  return degraded(
    `${pluralized(stuck.length, 'task')} under way without a job: ${stuck.slice(0, maxShown).map(described).join('; ')}.`,
    'Cancel each of them (galley tasks cancel <task_id>) and create it again: galley tasks create "<topic>".'
  )
}

const maxShown = 5

/** Both rows move in one transaction. They differ where posts were decided on while this plugin was disabled, or by SQL. */
async function findDisagreements(db: Db): Promise<Finding> {
  const found = await listDisagreements(db, maxShown + 1)
  if (found.length === 0) return ok('every task is as its post is')
  const more = found.length > maxShown ? ' and more' : ''
  const differing = ({ task_id, status, post_id, post_status }: Disagreement) =>
    `task ${task_id} is ${status} and its post ${post_id} ${post_status}`
  return degraded(
    `${found.slice(0, maxShown).map(differing).join('; ')}${more}.`,
    'Decide on these posts anew, which moves both: galley posts publish, unpublish or archive <post_id>.'
  )
}

type UnfinishedTask = Awaited<ReturnType<typeof listUnfinishedTasks>>[number]
const stateOf = (task: UnfinishedTask): string => JSON.stringify(task)
const described = ({ task_id, status, stage }: UnfinishedTask): string => `${task_id} (${stage ?? status})`

const remedy = 'Start the model server, or correct llm_base_url and llm_api_key with galley settings set.'

async function checkEndpoint(settings: Settings<typeof taskSettings>, signal: AbortSignal): Promise<Finding> {
  const endpoint = endpointIn(settings)
  if (endpoint.baseUrl === '') return skipped('llm_base_url is not set: the embedded writer is in use')
  try {
    return await listModels(endpoint, signal)
  } catch (error) {
    // An address or a key that cannot be one: nothing was asked.
    if (error instanceof ModelError) return degraded(error.message, remedy)
    throw error
  }
}

/** Asks for the list of models, which every such endpoint has and which costs nothing. @throws ModelError */
async function listModels({ baseUrl, apiKey, keyFault }: ModelEndpoint, signal: AbortSignal): Promise<Finding> {
  const url = chatUrl(baseUrl).replace(/\/chat\/completions$/, '/models')
  const headers = headersOf(apiKey)
  try {
    const timed = AbortSignal.any([signal, AbortSignal.timeout(5_000)])
    const response = await fetch(url, { headers, redirect: 'manual', signal: timed })
    if (response.ok || response.status === 404) {
      await response.body?.cancel()
      return ok(`${new URL(url).origin} answers`)
    }
    const detail = serverMessage(await readResponseStart(response, 10_000), apiKey)
    return degraded(`${url} answers ${response.status}: ${detail}${keyFault === null ? '' : ` ${keyFault}`}`, remedy)
  } catch (error) {
    return degraded(`${url} does not answer (${requestFailure(error).code}).`, remedy)
  }
}
