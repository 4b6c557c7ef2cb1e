// Not on a server: an old word leads to a command, which has tests of its own.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { aliases, replaceAlias } from '../../cli/aliases.ts'
import { createInstallation, type Installation } from '../helpers/program.ts'
import { runCommand } from '../helpers/run-command.ts'
import { startService, type TestService } from '../helpers/service.ts'
import { until } from '../helpers/until.ts'

/** The specification's deprecated words and the group that took each over, as it lists them. */
const specified: Record<string, string> = {
  approve: 'gates',
  reject: 'gates',
  'list-pending': 'gates',
  'show-pending': 'gates',
  'approve-publish': 'schedule',
  'reject-publish': 'schedule',
  'list-pending-publish': 'schedule',
  'show-pending-publish': 'schedule',
  'publish-at': 'schedule',
  post: 'posts'
}

test('the deprecated words are those of the specification, each in its group', () => {
  const groups = Object.fromEntries(Object.entries(aliases).map(([word, [group]]) => [word, group]))
  assert.deepEqual(groups, specified)
  assert.deepEqual(aliases['publish-at'], ['schedule', 'at'])
  for (const word of ['approve', 'reject', 'show-pending']) assert.deepEqual(aliases[word], ['gates', word])
  for (const word of ['approve', 'reject', 'show-pending'])
    assert.deepEqual(aliases[`${word}-publish`], ['schedule', word])
})

let program: Installation
let service: TestService
before(async () => {
  program = createInstallation()
  service = await startService({
    settings: { pipeline_gate_topic_decision: 'on', pipeline_gate_final_publish_approval: 'on' }
  })
})
after(async () => {
  await program.close()
  await service.close()
})

for (const [word, group] of Object.entries(specified)) {
  test(`"galley ${word}" runs its command of ${group} and says on stderr that it is deprecated`, async () => {
    const { status, stdout, stderr } = await (word === 'post' ? program.run : program.runHere)([word, '--help'])
    const now = aliases[word]?.join(' ')
    assert.equal(stderr, `warning: "galley ${word}" is deprecated: use "galley ${now}"\n`)
    assert.equal(status, 0)
    assert.ok(stdout.includes(`galley ${now}`), stdout)
  })
}

/** Runs a command line as the program would after its notice; the answer read from its JSON. */
async function run(...argv: string[]) {
  const { argv: line, notice } = replaceAlias('galley', argv)
  assert.match(notice ?? '', /is deprecated/)
  const { status, out, err } = await runCommand(service.kernel, ...line, '--json')
  assert.equal(status, 0, err)
  return JSON.parse(out)
}
const direct = async (...argv: string[]) => JSON.parse((await runCommand(service.kernel, ...argv, '--json')).out)

test('topics are listed, shown, approved and rejected by the old words', async () => {
  const propose = (topic: string) => direct('topics', 'propose', '--topic', topic)
  const one = await propose('Keeping bees in winter')
  const two = await propose('Mending nets by hand')
  assert.deepEqual(await run('list-pending'), await direct('gates', 'list'))
  assert.equal((await run('show-pending', one.task_id)).title, 'Keeping bees in winter')
  assert.equal((await run('approve', one.task_id, '--gate', 'topic_decision')).awaiting_gate, null)
  const rejected = await run('reject', two.task_id, '--gate', 'topic_decision', '--reason', 'no')
  assert.equal(rejected.status, 'dismissed')
})

test('posts are made, given a slot, listed, shown, approved and rejected at the last gate by the old words', async () => {
  const make = async (title: string) => {
    const file = path.join(service.home, 'post.md')
    writeFileSync(file, `# ${title}\n\nText of ${title}.`)
    const { post_id } = await run('post', 'create', '--from-file', file, '--status', 'awaiting_approval')
    const at = await run('publish-at', post_id, '--in', '1s')
    assert.equal(at.items[0].status, 'scheduled')
    return post_id
  }
  const one = await make('Keeping bees in winter')
  const two = await make('Mending nets by hand')
  await until(async () => (await direct('schedule', 'pending')).count === 2, 'both are held at their slots')
  assert.deepEqual(await run('list-pending-publish'), await direct('schedule', 'pending'))
  assert.equal((await run('show-pending-publish', one)).post.title, 'Keeping bees in winter')
  assert.equal((await run('show-pending', one)).gate_name, 'final_publish_approval')
  assert.equal((await run('approve-publish', one)).items[0].status, 'published')
  assert.equal((await run('reject-publish', two)).items[0].status, 'draft')
})
