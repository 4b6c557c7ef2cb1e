// Every pair of decisions on one draft at the same moment, through different interfaces: REST here, commands and the publisher in a
// second process (embedded: in the owner, where commands run). RACE_ROUNDS says how often each pair meets. By default each of
// two comes first once where transactions take turns, and on a server, where they overlap, three times in all.
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandResult } from '../../../testing/test-service.ts'
import { assertAgree } from '../../helpers/agreement.ts'
import { openOnServer, testServerUrl } from '../../helpers/database.ts'
import { publishDue } from '../../helpers/publish-due.ts'
import { runCommand } from '../../helpers/run-command.ts'
import { startService, type TestService } from '../../helpers/service.ts'

const rounds = Number(process.env.RACE_ROUNDS ?? (testServerUrl === undefined ? 2 : 3))

// A token outlives the longest run. Where two meet on a draft it is like no other: nothing is compared.
const options = { worker: false, settings: { oauth_token_ttl_seconds: '86400', qa_rail_near_duplicate: 'off' } }

let service: TestService
let run: (argv: string[]) => Promise<CommandResult>
const closing: (() => Promise<unknown>)[] = []
before(async () => {
  if (testServerUrl === undefined) {
    service = await startService(options)
    run = argv => (argv[0] === 'publisher' ? publishDue(service.kernel) : runCommand(service.kernel, ...argv))
  } else {
    const { url, db } = await openOnServer(testServerUrl)
    closing.push(() => db.close())
    service = await startService({ ...options, db })
    run = await startSecond(url)
  }
})
after(async () => {
  await service.close()
  for (const close of closing) await close()
})

async function startSecond(url: string): Promise<typeof run> {
  const child: ChildProcess = fork(new URL('../../fixtures/second-process.ts', import.meta.url), [url])
  closing.unshift(async () => {
    const ended = once(child, 'exit')
    child.disconnect()
    await ended
  })
  await once(child, 'message')
  const waiting = new Map<number, (result: CommandResult) => void>()
  child.on('message', ({ id, result }: { id: number; result: CommandResult }) => waiting.get(id)?.(result))
  let last = 0
  return argv =>
    new Promise(resolve => {
      waiting.set(++last, resolve)
      child.send({ id: last, argv })
    })
}

interface Draft {
  task_id: string
  post_id: string
  content_hash: string
}
/** Makes a decision; false when it was refused as a conflict. */
type Decision = (draft: Draft) => Promise<boolean>

const rest =
  (method: string, path: (draft: Draft) => string, body?: (draft: Draft) => object): Decision =>
  async draft => {
    const answer = await service.bearer(method, path(draft), body?.(draft))
    assert.ok([200, 409].includes(answer.status), `${method} ${path(draft)}: ${JSON.stringify(answer)}`)
    return answer.status === 200
  }
const cli =
  (...words: string[]): Decision =>
  async draft => {
    const argv = words.map(word => (draft as unknown as Record<string, string>)[word] ?? word)
    const { status, out, err } = await run([...argv, '--json'])
    if (status === 0) return true
    // A batch that finds nothing says so in its answer.
    const code = err === '' && JSON.parse(out).ok === false ? 'CONFLICT' : JSON.parse(err).error_code
    assert.ok(refusals.includes(code), `${argv.join(' ')}: ${out}${err}`)
    return false
  }
const refusals = ['CONFLICT', 'CONTENT_CHANGED', 'TASK_ALREADY_REJECTED', 'TASK_IN_PROGRESS']
const ofTask = (verb: string) => (draft: Draft) => `/api/tasks/${draft.task_id}/${verb}`
const ofPost = (draft: Draft) => `/api/posts/${draft.post_id}`
const slot = (year: number) => `${year}-01-01T09:00:00.000Z`

const decisions: Record<string, Decision> = {
  'approve now': rest('POST', ofTask('approve'), () => ({ approved: true })),
  'approve for 2032': rest('POST', ofTask('approve'), () => ({ approved: true, publish_at: slot(2032) })),
  'approved: false': rest('POST', ofTask('approve'), () => ({ approved: false })),
  'reject, again': rest('POST', ofTask('reject'), () => ({ feedback: 'Shorter.' })),
  'reject --final': cli('tasks', 'reject', 'task_id', '--feedback', 'No.', '--final', '--yes'),
  'tasks cancel': cli('tasks', 'cancel', 'task_id', '--yes'),
  'tasks retry': rest('POST', ofTask('retry'), () => ({})),
  'tasks publish': cli('tasks', 'publish', 'task_id'),
  // As a button of the chat does.
  'gates approve': cli('gates', 'approve', 'task_id', '--gate', 'awaiting_approval', '--content-hash', 'content_hash'),
  'gates reject': cli('gates', 'reject', 'task_id', '--gate', 'awaiting_approval', '--reason', 'Why.'),
  'POST schedule': rest(
    'POST',
    () => '/api/schedule',
    ({ post_id }) => ({ post_id, publish_at: slot(2033) })
  ),
  'schedule at --force': cli('schedule', 'at', 'post_id', slot(2034), '--force'),
  'schedule batch': cli('schedule', 'batch', '--count', '1', '--interval', '1h', '--start', slot(2035)),
  'schedule shift': cli('schedule', 'shift', '--all', '--by', '1h'),
  'schedule clear': cli('schedule', 'clear', 'post_id'),
  'schedule approve': cli('schedule', 'approve', 'post_id'),
  'schedule reject': cli('schedule', 'reject', 'post_id', '--reason', 'Too late.'),
  'posts publish': cli('posts', 'publish', 'post_id'),
  'posts publish --force': cli('posts', 'publish', 'post_id', '--force'),
  unpublish: rest('POST', draft => `${ofPost(draft)}/unpublish`),
  archive: rest('DELETE', ofPost),
  edit: rest('PATCH', ofPost, () => ({ title: 'Another title' })),
  publisher: async () => (await run(['publisher'])).status === 0
}

const everywhere = ['approve now', 'tasks publish', 'posts publish', 'archive', 'edit', 'tasks cancel']
const signOff = [
  'approve for 2032',
  'approved: false',
  'reject, again',
  'reject --final',
  'gates approve',
  'gates reject'
]
/** Where a draft is when two decide on it: its task's status, its post's columns, and the decisions worth a try. */
interface State {
  task: string
  post: string
  slot?: string
  gate?: string
  names: string[]
}
const states: Record<string, State> = {
  'awaits approval': {
    ...{ task: 'awaiting_approval', post: 'awaiting_approval' },
    names: [...everywhere, ...signOff, 'POST schedule', 'schedule batch']
  },
  'is scheduled': {
    ...{ task: 'approved', post: 'scheduled', slot: slot(2031) },
    names: [...everywhere, 'approve for 2032', 'schedule at --force', 'schedule shift', 'schedule clear']
  },
  'is due': {
    ...{ task: 'approved', post: 'scheduled', slot: '2026-01-01T00:00:00.000Z' },
    names: ['publisher', 'archive', 'edit', 'schedule at --force', 'posts publish', 'reject --final']
  },
  'is held at its slot': {
    ...{ task: 'approved', post: 'scheduled', slot: '2026-01-01T00:00:00.000Z', gate: 'final_publish_approval' },
    names: [
      'tasks cancel',
      'schedule approve',
      'schedule reject',
      'archive',
      'edit',
      'tasks publish',
      'schedule at --force'
    ]
  },
  'is public': {
    ...{ task: 'published', post: 'published', slot: '2026-01-01T00:00:00.000Z' },
    names: ['unpublish', 'archive', 'edit', 'approve now', 'tasks cancel']
  },
  'was unpublished': {
    ...{ task: 'awaiting_approval', post: 'draft' },
    names: ['approve now', 'approve for 2032', 'reject, again', 'gates approve', 'posts publish', 'archive', 'edit']
  },
  'was sent back': {
    ...{ task: 'rejected_retry', post: 'draft' },
    names: ['reject --final', 'posts publish', 'archive', 'edit', 'tasks cancel']
  },
  'was rejected': {
    ...{ task: 'rejected', post: 'draft' },
    names: ['tasks retry', 'posts publish', 'posts publish --force', 'archive', 'edit', 'tasks cancel']
  },
  'is being written again': {
    ...{ task: 'in_progress', post: 'draft' },
    names: ['posts publish', 'archive', 'edit', 'tasks cancel', 'reject --final']
  }
}

/** Drafts that nobody has decided on yet, in place of all there were. */
async function makeDrafts({ task, post, slot: at, gate }: State, count: number): Promise<Draft[]> {
  await service.db.script('delete from gate_history; delete from posts; delete from tasks; delete from jobs.job')
  const isApproved = ['scheduled', 'published'].includes(post)
  const drafts = await service.db.query<Draft>(
    `with task as (
       insert into tasks (topic, target_length, style, tone, status, progress, post_id, publish_at, title, excerpt, content)
       select 'A topic', 500, 'technical', 'professional', $1, 90, gen_random_uuid(),
         case when $1 <> 'published' then $3::timestamptz end, 'Title', 'Excerpt',
         -- No draft is like another: those would be refused.
         (select string_agg(md5(random()::text || draft || word), ' ') from generate_series(1, 40) word)
       from generate_series(1, $6) draft
       returning task_id, post_id, content
     )
     insert into posts (post_id, task_id, slug, title, excerpt, content, content_html, status, published_at, awaiting_gate, approved_at)
     select post_id, task_id, 'draft-' || left(post_id::text, 8), 'Title', 'Excerpt', content, '<p>Text</p>', $2, $3, $4,
       case when $5 then now() end
     from task returning post_id, task_id, content_hash`,
    [task, post, at ?? null, gate ?? null, isApproved, count]
  )
  if (isApproved) await service.db.query('update posts set approved_hash = content_hash')
  return drafts
}

type Pair = readonly [string, string]
/** One meeting of two decisions on a draft: one after the other in an order, or at once. */
interface Meeting {
  pair: Pair
  /** The one that begins, alone; undefined: both at once. */
  first?: 0 | 1
  /** Of those at once. */
  round: number
}
type Met = Meeting & { draft: Draft; answers: readonly boolean[]; outcome: string }

const decide = (name: string, draft: Draft): Promise<boolean> => (decisions[name] as Decision)(draft)

async function answersTo({ pair, first, round }: Meeting, draft: Draft): Promise<boolean[]> {
  if (first === undefined)
    return Promise.all(
      pair.map(async (name, which) => {
        if (round % 2 === which) await sleep(round % 7)
        return decide(name, draft)
      })
    )
  const answers = [false, false]
  for (const turn of first === 1 ? ([1, 0] as const) : ([0, 1] as const))
    answers[turn] = await decide(pair[turn], draft)
  return answers
}

/** These decide on every draft there is, and meet another decision on one that is alone. */
const ofAll = ['schedule batch', 'schedule shift', 'publisher']
const isOfAll = ({ pair }: { pair: Pair }): boolean => pair.some(name => ofAll.includes(name))

/** Of many rounds there would be tens of thousands of drafts, which make each decision slow. */
const maxAtOnce = 200

/** Each meeting has a draft of its own. They are made, and read afterwards, for all at once: that takes most of the time else. */
async function hold(state: State, meetings: readonly Meeting[]): Promise<Met[]> {
  const drafts = await makeDrafts(state, meetings.length)
  const answered: (Meeting & { draft: Draft; answers: readonly boolean[] })[] = []
  for (const [at, meeting] of meetings.entries()) {
    const draft = drafts[at] as Draft
    answered.push({ ...meeting, draft, answers: await answersTo(meeting, draft) })
  }
  const about = ({ task_id }: { task_id: string }) =>
    JSON.stringify(answered.find(({ draft }) => draft.task_id === task_id)) ?? ''
  await assertAgree(service.db, about)
  const rows = await outcomes(meetings.some(({ pair }) => pair.includes('publisher')))
  return answered.map(met => ({ ...met, outcome: JSON.stringify([met.answers, rows.get(met.draft.task_id)]) }))
}

/** What became of each draft: both rows, the steps of the task's history, and what was decided at the gates. */
async function outcomes(isLeftToPublisher: boolean): Promise<Map<string, object>> {
  // It leaves a post that somebody is deciding on to its next run.
  if (isLeftToPublisher) await run(['publisher'])
  const rows = await service.db.query<{ task_id: string }>(
    `select t.task_id, t.status, p.status as post, p.awaiting_gate as gate, p.title,
       case when p.status = 'scheduled' then p.published_at end as slot,
       (select json_agg(type order by id) from pipeline_events e where e.task_id = t.task_id) as steps,
       (select json_agg(gate_name || ' ' || decision order by id) from gate_history
        where subject_id in (t.task_id, p.post_id)) as gates
     from tasks t join posts p using (task_id)`
  )
  return new Map(rows.map(({ task_id, ...row }) => [task_id, row]))
}

/** Both orders, and the rounds. Of a decision that meets itself, the other order is the same with the answers exchanged. */
function meetingsOf(pair: Pair): Meeting[] {
  const isSame = pair[0] === pair[1]
  const count = isSame ? Math.ceil(rounds / 2) : rounds
  const orders = isSame ? ([0] as const) : ([0, 1] as const)
  return [
    ...orders.map(first => ({ pair, first, round: 0 })),
    ...Array.from({ length: count }, (_, round) => ({ pair, round }))
  ]
}

/** One comes after the other: what became of the draft is what becomes of it in one of the two orders. */
function requireAnOrder(pair: Pair, met: readonly Met[]): void {
  const own = met.filter(each => each.pair === pair)
  const inTurn = own.filter(({ first }) => first !== undefined).map(({ outcome }) => outcome)
  const serial = new Set(pair[0] === pair[1] ? inTurn.flatMap(each => [each, exchanged(each)]) : inTurn)
  for (const { first, outcome } of own)
    if (first === undefined)
      assert.ok(serial.has(outcome), `${pair.join(' and ')} at once: ${outcome}\nis none of\n${[...serial].join('\n')}`)
}

function exchanged(found: string): string {
  const [answers, row]: [boolean[], object] = JSON.parse(found)
  return JSON.stringify([answers.toReversed(), row])
}

for (const [title, state] of Object.entries(states)) {
  test(`of two decisions on a draft that ${title} one comes after the other, and its task and its post agree`, async () => {
    const pairs = state.names.flatMap((a, at) => state.names.slice(at).map(b => [a, b] as const))
    const meetings = pairs.flatMap(meetingsOf)
    const met: Met[] = []
    const others = meetings.filter(each => !isOfAll(each))
    for (let at = 0; at < others.length; at += maxAtOnce)
      met.push(...(await hold(state, others.slice(at, at + maxAtOnce))))
    for (const meeting of meetings.filter(isOfAll)) met.push(...(await hold(state, [meeting])))
    for (const pair of pairs) requireAnOrder(pair, met)
  })
}

test('of many decisions on many drafts at once none waits for another for ever, and all agree', async () => {
  await service.kernel.settings.set('qa_rail_near_duplicate', 'required')
  const ofMany = [
    ['schedule', 'batch', '--count', '30', '--interval', '1h', '--start', slot(2035), '--force'],
    ['schedule', 'shift', '--all', '--by', '1h'],
    ['schedule', 'clear', '--all', '--yes'],
    [
      'schedule',
      'batch',
      '--count',
      '30',
      '--interval',
      '1h',
      '--start',
      slot(2036),
      '--ordered-by',
      'title',
      '--force'
    ]
  ]
  const ofOne = ['edit', 'approve for 2032', 'schedule at --force', 'archive', 'reject, again', 'posts publish']
  for (let round = 0; round < rounds; round += 1) {
    const drafts = await makeDrafts(states['is scheduled'] as State, 30)
    const single = drafts.map((draft, at) => decide(ofOne[(at + round) % ofOne.length] as string, draft))
    const bulk = [cli('publisher'), ...ofMany.map(argv => cli(...argv))].map(decision => decision(drafts[0] as Draft))
    await Promise.all([...single, ...bulk])
    await assertAgree(service.db)
  }
})
