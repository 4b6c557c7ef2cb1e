import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runProgram } from '../../cli/framework/run.ts'
import { displayWidth } from '../../cli/framework/table.ts'
import { PostPatch } from '../../plugins/posts/schemas.ts'
import { assertAgree } from '../helpers/agreement.ts'
import { commandsOf } from '../helpers/kernel.ts'
import { startService, type TestService } from '../helpers/service.ts'
import { recordSession } from '../helpers/session.ts'
import { awaitOutcome, draftedTask, lighthouseTask, storeSource } from '../helpers/tasks.ts'
import { until } from '../helpers/until.ts'

let service: TestService
before(async () => {
  service = await startService({ settings: { qa_rail_near_duplicate: 'off' } })
  await storeSource(service)
})
after(() => service.close())

type Facts = Parameters<typeof recordSession>[0]

async function run(argv: readonly string[], facts: Facts = {}) {
  const session = recordSession(facts)
  const program = { name: 'galley', version: '0.0.0', program: service.kernel.commands }
  const status = await runProgram(program, argv, session)
  return { status, out: session.out.join('\n'), err: session.err.join('\n') }
}
async function json(argv: readonly string[], facts: Facts = {}) {
  const { status, out, err } = await run([...argv, '--json'], facts)
  assert.equal(status, 0, err)
  return JSON.parse(out)
}

test('a post is edited field by field, its text from a file or stdin, and what is refused changes nothing', async () => {
  const flags = Object.keys((await commandsOf(service.kernel, 'posts')).edit?.args ?? {})
  const named = Object.keys(PostPatch.properties).map(field => field.replaceAll('_', '-'))
  const shortened: Record<string, string> = { content: 'from-file', 'niche-slug': 'niche' }
  assert.deepEqual(
    named.filter(name => !flags.includes(shortened[name] ?? name)),
    [],
    'every field of PATCH has a flag'
  )
  const { post_id } = await json(['posts', 'create', '--slug', 'edited'], { stdin: '# Edited\n\nBefore.' })
  const edit = (...argv: string[]) => run(['posts', 'edit', post_id.slice(0, 8), ...argv])
  assert.equal((await edit('--title', ' A  new title ', '--tags', 'a, b', '--excerpt', 'Short.')).status, 0)
  assert.equal((await edit('--tags=', '--language', 'pt-BR', '--niche', 'sea', '--author', 'Ann')).status, 0)
  const fromFlags = await json(['posts', 'get', 'edited'])
  assert.deepEqual(
    [fromFlags.title, fromFlags.tags, fromFlags.excerpt, fromFlags.language, fromFlags.author, fromFlags.niche_slug],
    ['A new title', [], 'Short.', 'pt-BR', 'Ann', 'sea']
  )
  const emoji = '🎉'.repeat(300)
  assert.equal((await run(['posts', 'retitle', post_id, emoji])).status, 0)
  assert.equal((await json(['posts', 'get', post_id])).title, emoji)
  const tooLong = await run(['posts', 'create', '--from-file', '-'], { stdin: `# ${emoji}!\n\nText.` })
  assert.match(tooLong.err, /^error: The first heading of the text is the title of the post, and .* 300/)
  const made = await json(['posts', 'create', '--from-file', '-'], { stdin: '# Made\n\nFrom stdin, as edit reads it.' })
  assert.equal(made.title, 'Made')
  for (const argv of [[], ['--from-file', '-']]) {
    const edited = await run(['posts', 'edit', post_id, ...argv], { stdin: `From stdin ${argv.join(' ')}.` })
    assert.equal(edited.out, 'Edited edited (draft).', edited.err)
    assert.equal((await json(['posts', 'get', post_id])).content, `From stdin ${argv.join(' ')}.`)
  }
  for (const [argv, fault] of [
    [[], /Nothing to change: no flag is given, and stdin is empty/],
    [['--title', ''], /--title /],
    [['--slug', 'No Slug'], /--slug /],
    [['--slug', 'search'], /--slug is reserved/],
    [['--featured-image-url', 'javascript:1', '--niche', '  '], /--featured-image-url .*\n.*--niche /],
    [['--from-file', '/nowhere/at/all'], /does not exist/],
    [['--from-file', '/dev/fd/0'], /is open in one process only: name a file, or "-"/]
  ] as const) {
    const { status, err } = await edit(...argv)
    assert.equal(status, 2, err)
    assert.match(err, fault)
  }
  assert.match((await run(['posts', 'edit', post_id], { isInteractive: true })).err, /give a flag such as --title/)
  assert.equal((await json(['posts', 'get', 'edited'])).content, 'From stdin --from-file -.')
})

test('preview prints an address that shows the post; an archived one has none until it is restored', async () => {
  const { post_id } = await json(['posts', 'create', '--slug', 'seen'], { stdin: '# Seen\n\nText.' })
  const { out } = await run(['posts', 'preview', post_id.slice(0, 8)])
  assert.match(out, /^http:\/\/127\.0\.0\.1:\d+\/preview\/[\w-]+$/)
  const page = await service.anonymous('GET', new URL(out).pathname)
  assert.deepEqual([page.status, String(page.body).includes('Seen')], [200, true])
  assert.equal((await json(['posts', 'preview', post_id])).status, 'draft')
  await run(['posts', 'archive', post_id, '--yes'])
  const refused = await run(['posts', 'preview', post_id])
  assert.deepEqual([refused.status, /"posts restore"/.test(refused.err)], [1, true])
  assert.match((await run(['posts', 'restore', post_id])).out, /^seen is a draft again: "posts publish [0-9a-f]{8}"/)
  const again = await run(['posts', 'restore', post_id])
  assert.deepEqual([again.status, /only an archived post is restored/.test(again.err)], [1, true])
  assert.equal((await run(['posts', 'preview', post_id])).status, 0)
  const rest = await service.bearer('POST', `/api/posts/${post_id}/restore`)
  assert.deepEqual([rest.status, rest.body.error_code], [409, 'CONFLICT'])
  assert.equal((await service.anonymous('POST', `/api/posts/${post_id}/restore`)).status, 401)
})

test('restoring the post of a task lets it be approved again, and both agree all the way', async () => {
  const { task_id } = await draftedTask(service)
  const states = async () => {
    await assertAgree(service.db)
    const task = await json(['tasks', 'get', task_id])
    return [task.status, (await json(['posts', 'get', task_id])).status]
  }
  for (const publish of [false, true]) {
    if (publish) await run(['tasks', 'approve', task_id])
    assert.deepEqual(await states(), publish ? ['published', 'published'] : ['awaiting_approval', 'awaiting_approval'])
    await run(['posts', 'archive', task_id, '--yes'])
    assert.deepEqual(await states(), ['dismissed', 'archived'])
    const restored = await service.bearer(
      'POST',
      `/api/posts/${(await json(['posts', 'get', task_id])).post_id}/restore`
    )
    assert.deepEqual([restored.status, restored.body.status], [200, 'draft'])
    assert.deepEqual(await states(), ['awaiting_approval', 'draft'])
    const held = await json(['gates', 'pending'])
    assert.ok(held.items.some((item: { subject_id: string }) => item.subject_id === task_id))
    assert.equal((await run(['tasks', 'approve', task_id])).status, 0)
    assert.deepEqual(await states(), ['published', 'published'])
  }
  const events = (await service.bearer('GET', `/api/pipeline/events/task/${task_id}`)).body.items
  assert.equal(events.filter(({ type }: { type: string }) => type === 'restored').length, 2)
})

test('tasks create --wait shows the stages and ends with what became of the task', async () => {
  const { topic } = lighthouseTask
  const waited = await run(['tasks', 'create', topic, '--target-length', '300', '--wait'])
  assert.equal(waited.status, 0, waited.err)
  assert.match(waited.err, /^Created task [0-9a-f-]{36}: How a lighthouse lens works\n\d\d:\d\d:\d\d {2}created/)
  assert.match(waited.err, /picked_up {2}pending → in_progress[\s\S]*qa_passed {2}in_progress → awaiting_approval/)
  assert.match(waited.out, /^Task .* waits for approval with a score of \d+.* Preview: http/)
  const refused = await run(['tasks', 'create', 'Something nobody has a source about', '--wait', '--json'])
  assert.equal(refused.status, 1, refused.err)
  const task = JSON.parse(refused.out)
  assert.deepEqual([task.status, task.topic], ['rejected', 'Something nobody has a source about'])
  assert.deepEqual(task, { ...task, ...(await json(['tasks', 'get', task.task_id])) })
  const text = await run(['tasks', 'create', 'Another thing without any source', '--wait'])
  assert.match(text.out, /^Task .* is rejected: .*grounding|source/)
})

test('Ctrl-C leaves a task that is waited for going, and where no worker runs nobody waits', async () => {
  const session = recordSession()
  const program = { name: 'galley', version: '0.0.0', program: service.kernel.commands }
  const asking = runProgram(
    program,
    ['tasks', 'create', lighthouseTask.topic, '--target-length', '300', '--wait'],
    session
  )
  await until(() => session.err.length > 0, 'the task is created')
  session.interrupt()
  assert.equal(await asking, 130)
  const [, task_id = ''] = /^Created task (\S+):/.exec(session.err[0] ?? '') ?? []
  assert.equal((await awaitOutcome(service, task_id)).status, 'awaiting_approval')

  const idle = await startService({ worker: false })
  try {
    await idle.db.query(`update jobs.version set cron_on = now() - interval '5 minutes'`)
    const alone = recordSession()
    const status = await runProgram(
      { ...program, program: idle.kernel.commands },
      ['tasks', 'create', 'Tides', '--wait'],
      alone
    )
    assert.deepEqual([status, /^Created task .*: Tides$/.test(alone.out.join())], [1, true])
    assert.match(alone.err.join('\n'), /warning: no worker runs: "galley serve" or "galley worker"/)
    const lists = [
      'posts list',
      'topics list',
      'gates pending',
      'gates history',
      'schedule list',
      'schedule list --all'
    ]
    lists.push('schedule pending', 'memory list', 'notify list', 'posts search tide', 'tasks list --status failed')
    for (const line of lists) {
      const { out } = await idle.run(...line.split(' '))
      assert.match(out, /^[A-Z][^\n]*\.$/, `${line}: an empty list is a sentence`)
      assert.doesNotMatch(out, / {2}|0 of 0/, line)
    }
    assert.match((await idle.run('tasks', 'list', '--offset', '7')).out, /^Nothing from 8 on: there are 1\./)
  } finally {
    await idle.close()
  }
})

const hostile = 'A\u001b[2J\u001b]0;x\u0007\u009b31m\u202eB\u2066C\u200f\u061c\rD'
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/
const commands = [
  'posts list',
  'posts get hostile',
  'posts search lighthouse',
  'schedule list',
  'schedule show hostile-id',
  'schedule explain hostile-id',
  'tasks list',
  'tasks get hostile-task',
  'gates list',
  'gates pending',
  'gates history',
  'topics list',
  'memory list',
  'memory get hostile',
  'memory search lighthouse',
  'memory status',
  'notify list',
  'auth list-clients',
  'costs operational',
  'posts archive hostile-id'
]

test('nothing that steers a terminal leaves any command, on a terminal of any width, in a pipe or as JSON', async () => {
  const { task_id } = await draftedTask(service)
  const { post_id } = await json(['posts', 'get', task_id])
  const { db } = service
  const content = `One.\n\nTwo ${hostile}.`
  await db.query(`update posts set title = $2, excerpt = $2, content = $3, slug = 'hostile' where post_id = $1`, [
    post_id,
    hostile,
    content
  ])
  await db.query('update tasks set title = $2, topic = $2, content = $3, reason = $2 where task_id = $1', [
    task_id,
    hostile,
    content
  ])
  await db.query(`update gate_history set reason = $1, actor = $1`, [hostile])
  await db.query(
    `insert into memory_entries (source_table, source_id, writer, title, text, content_hash)
     values ('memory', 'hostile', $1, $1, $2, 'x')`,
    [hostile, content]
  )
  const ids: Record<string, string> = { 'hostile-id': post_id, 'hostile-task': task_id }
  for (const line of commands) {
    const argv = line.split(' ').map(word => ids[word] ?? word)
    for (const facts of [{ columns: 80 }, { columns: 40, hasColour: true }, { columns: 10_000 }]) {
      const { status, out, err } = await run(argv, { ...facts, isInteractive: true, answers: ['n'] })
      assert.ok(status === 0 || line.startsWith('posts archive'), `${line}: ${err}`)
      assert.doesNotMatch(out.replace(/\u001b\[\d{1,2}m/g, ''), steering, line)
      assert.doesNotMatch(err, steering, line)
    }
    if (line.startsWith('posts archive')) continue
    const asJson = await run([...argv, '--json'])
    assert.doesNotMatch(asJson.out, steering, line)
    JSON.parse(asJson.out)
  }
  const shown = await run(['posts', 'get', 'hostile'])
  assert.match(shown.out, /\n\nOne\.\n\nTwo A \[2J \]0;x 31mBC D\.$/, 'line breaks of a text stay')
  assert.equal((await json(['posts', 'get', 'hostile'])).title, hostile)
  const refused = await run(['posts', 'get', `none${hostile}`])
  assert.doesNotMatch(refused.err, steering)
})

test('lists show whole ids, names and times at every width; the rest goes', async () => {
  const whole: Record<string, RegExp> = {
    'posts list': /^[0-9a-f]{8}( |$)/,
    'tasks list': /^[0-9a-f]{8}( |$)/,
    'gates pending': /^[0-9a-f]{8}( |$)/,
    'memory list': /^(memory|posts)\/[\w/.-]+( |$)/,
    events: /^(\d{4}-\d\d-\d\d \d\d:\d\dZ {2}[a-z_]+ | {20})/,
    'events --audit': /^(\d{4}-\d\d-\d\d \d\d:\d\dZ {2}[a-z._]+ | {20})/
  }
  for (const [line, first] of Object.entries(whole)) {
    for (const columns of [40, 60, 80, 100, 132, 200]) {
      const { out } = await run(line.split(' '), { columns })
      const rows = out
        .split('\n')
        .slice(1)
        .filter(row => !/^\d+ of \d+$/.test(row))
      assert.ok(rows.length > 0, `${line}: ${out}`)
      for (const row of rows) {
        assert.match(row, first, `${line} at ${columns}`)
        if (columns >= 80) assert.ok(displayWidth(row) <= columns, `${line} at ${columns}: ${row}`)
        const cut = row.split(/ {2,}/).filter(cell => cell.endsWith('…'))
        for (const cell of cut)
          assert.doesNotMatch(cell, /^(\d{4}-|[0-9a-f-]{8,}…|[a-z_]+_[a-z_]*…$)/, `${line}: ${row}`)
      }
    }
  }
})
