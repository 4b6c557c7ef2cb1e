import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Terminal } from '../../core/contract/command.ts'
import { ConflictError } from '../../core/contract/errors.ts'
import { packageRoot } from '../../core/paths.ts'
import { table } from '../framework/table.ts'
import { type Api, callService, type DemoService, type EventAnswer, type TaskAnswer } from './client.ts'

const pollMs = 150

/** States in which the pipeline does nothing by itself. */
const finalStatuses = new Set([
  'awaiting_approval',
  'awaiting_gate',
  'published',
  'approved',
  'rejected',
  'rejected_final',
  'dismissed',
  'failed'
])

/** Stores the sample articles that come with the package; a second time changes nothing. */
export async function storeSamples(service: DemoService, terminal: Terminal): Promise<number> {
  const folder = path.join(packageRoot, 'cli', 'samples')
  const files = (await readdir(folder)).filter(name => name.endsWith('.md')).sort()
  for (const file of files) {
    const source = ['--source-table', 'memory', '--source-id', `sample/${file}`, '--tags', 'sample']
    await callService(
      service,
      ['memory', 'store', '--file', path.join(folder, file), '--writer', 'demo', ...source],
      terminal
    )
  }
  return files.length
}

/**
 * Takes a topic through the pipeline and publishes it, showing each transition as it happens. For a topic that an
 * earlier run published it returns that task: the checks refuse the copy, as they should.
 * @throws ConflictError saying what is missing when the draft does not pass its checks.
 */
export async function publishTopic(api: Api, topic: string, terminal: Terminal): Promise<TaskAnswer> {
  const { task_id } = await api.send<TaskAnswer>('/api/tasks', { topic })
  const shown = new Set<string>()
  const task = await waitForTask(api, task_id, shown, terminal)
  if (task.qa !== null) terminal.note(qaTable(task.qa, terminal))
  if (task.status === 'awaiting_approval') await api.send(`/api/tasks/${task_id}/approve`, { approved: true })
  else if (task.status !== 'published') return await refused(api, task, terminal)
  const published = await waitForTask(api, task_id, shown, terminal, status => status === 'published')
  // Only a draft has a preview; its address stays valid for a day.
  return { ...published, preview_url: published.preview_url ?? task.preview_url }
}

async function refused(api: Api, task: TaskAnswer, terminal: Terminal): Promise<TaskAnswer> {
  const isCopy = failedRails(task).every(({ name }) => name === 'near_duplicate')
  const earlier = task.status === 'rejected' && isCopy ? await findPublished(api, task.topic) : undefined
  if (earlier === undefined) throw new ConflictError(explainEnd(task))
  terminal.note('An earlier run has published this topic, so its copy was rejected. This is the post it made:')
  return earlier
}

async function findPublished(api: Api, topic: string): Promise<TaskAnswer | undefined> {
  const { items } = await api.get<{ items: TaskAnswer[] }>('/api/tasks?status=published&limit=100')
  return items.find(task => task.topic === topic)
}

async function waitForTask(
  api: Api,
  task_id: string,
  shown: Set<string>,
  terminal: Terminal,
  isDone: (status: string) => boolean = status => finalStatuses.has(status)
): Promise<TaskAnswer> {
  for (;;) {
    // The task is read first: the events that waitForTask then tell all that led to its status.
    const task = await api.get<TaskAnswer>(`/api/tasks/${task_id}`)
    const { items } = await api.get<{ items: EventAnswer[] }>(`/api/pipeline/events/task/${task_id}?limit=100`)
    for (const event of items) showEvent(event, shown, terminal)
    if (isDone(task.status)) return task
    await wait(pollMs, undefined, { signal: terminal.signal })
  }
}

const typeWidth = 'research_done'.length

/** Every task of the demo is made here, by its API, in one attempt. */
const hiddenDetails = new Set(['attempt', 'source'])

function showEvent({ id, at, type, from, to, detail }: EventAnswer, shown: Set<string>, terminal: Terminal): void {
  if (shown.has(String(id))) return
  shown.add(String(id))
  const move = from === to || to === null ? [] : [`${from ?? 'new'} → ${to}`]
  const facts = Object.entries(detail ?? {}).flatMap(([name, value]) =>
    isShort(value) && !hiddenDetails.has(name) ? [`${name}: ${value}`] : []
  )
  terminal.note([at.slice(11, 23), type.padEnd(typeWidth), ...move, ...facts].join('  ').trimEnd())
}

const isShort = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.length <= 80)

function qaTable({ score, passed, rails }: NonNullable<TaskAnswer['qa']>, terminal: Terminal): string {
  const rows = rails.map(rail => [
    rail.name,
    rail.required ? 'required' : 'advisory',
    rail.passed ? 'passed' : 'failed',
    String(rail.score),
    rail.note
  ])
  const lines = table(
    [
      { heading: 'RAIL' },
      { heading: 'MODE', dropOrder: 1 },
      { heading: 'RESULT' },
      { heading: 'SCORE', dropOrder: 2 },
      { heading: 'NOTE', isText: true }
    ],
    rows,
    terminal
  )
  return `\nQA score ${score}: ${passed ? 'passed' : 'failed'}\n${lines}\n`
}

const failedRails = ({ qa }: TaskAnswer) => qa?.rails.filter(rail => rail.required && !rail.passed) ?? []

function explainEnd(task: TaskAnswer): string {
  const failed = failedRails(task)
  // A draft without sources fails most other rails too: what is missing is said by this one.
  const missing = failed.find(({ name }) => name === 'grounding')
  const why = (missing === undefined ? failed : [missing]).map(({ name, note }) => `${name}: ${note}`).join(' ')
  return `The task ${task.task_id} ended ${task.status}. ${why || (task.reason ?? task.error ?? 'Its history says why.')}`
}

/** Where the published post can be read, each address fetched once to be sure. */
export async function readBack(api: Api, url: string, task: TaskAnswer): Promise<{ name: string; url: string }[]> {
  const slug = task.post_slug ?? ''
  const search = `/api/posts/search?q=${encodeURIComponent(task.title ?? slug)}`
  const post = `${url}/api/posts/${slug}`
  const page = task.published_url === post ? null : task.published_url
  // Another website's page may follow later.
  if (page?.startsWith(`${url}/`)) await api.text(page.slice(url.length))
  await api.text(`/api/posts/${slug}`)
  const [feed, found] = await Promise.all([api.text('/feed.xml'), api.text(search)])
  if (!feed.includes(slug)) throw new ConflictError(`The feed does not list ${slug} yet.`)
  if (!found.includes(slug)) throw new ConflictError(`The search does not find ${slug} yet.`)
  return [
    ...(page === null ? [] : [{ name: 'page', url: page }]),
    { name: 'post', url: post },
    ...(task.preview_url === null ? [] : [{ name: 'preview', url: task.preview_url }]),
    { name: 'feed', url: `${url}/feed.xml` },
    { name: 'search', url: url + search }
  ]
}
