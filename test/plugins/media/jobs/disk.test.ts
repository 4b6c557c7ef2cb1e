import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { RemoveOrphans } from '../../../../plugins/media/jobs/job-types.ts'
import { makePublicPost } from '../../../helpers/public-post.ts'
import { startService, type TestService } from '../../../helpers/service.ts'
import { until } from '../../../helpers/until.ts'
import { createSpeakingPlugin } from './speaking-plugin.ts'

const engine = createSpeakingPlugin()
let service: TestService
let disks: { work: string; store: string }
before(async () => {
  service = await startService({
    plugins: [engine.plugin],
    settings: { speech_driver: 'test', qa_rail_near_duplicate: 'off' }
  })
  disks = { work: path.join(service.home, 'work', 'media'), store: path.join(service.home, 'media', 'episodes') }
})
after(() => service.close())

function mount(folder: string, size: string, t: TestContext): boolean {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', folder], { stdio: 'ignore' })
    t.after(() => execFileSync('umount', ['-l', folder]))
    return true
  } catch {
    return false
  }
}
const resize = (folder: string, size: string) => execFileSync('mount', ['-o', `remount,size=${size}`, folder])

const content = '# Tides\n\nThe sea rises.\n\n## The Moon\n\nIt pulls.\n\n## The Sun\n\nIt pulls less.'
const begin = async (title: string) => {
  const { post_id } = await makePublicPost(service, { title, content })
  return { post_id, job_id: (await service.bearer('POST', `/generate/${post_id}`, {})).body.job_id }
}
const isDone = async (job_id: string) =>
  (await service.bearer('GET', `/api/media/jobs/${job_id}`)).body.state === 'done'
/** Waits until a job has failed with these words, and has its next try begin at once. */
async function failsWith(words: string): Promise<void> {
  const found = `name = 'media.make' and state = 'retry' and output ->> 'message' like '%${words}%'`
  await until(async () => (await service.db.query(`select from jobs.job where ${found}`)).length > 0, words)
}
const tryNow = () => service.db.query(`update jobs.job set start_after = now() where name = 'media.make'`)

test('on a full disk a job says which folder needs room, leaves nothing half, and goes on', async t => {
  if (!mount(disks.work, '48k', t)) return t.skip('a small disk cannot be mounted here')
  mount(disks.store, '16k', t)
  const { post_id, job_id } = await begin('Full')
  await failsWith('cannot be used (ENOSPC): make room on its disk')
  // The sentences fit, and the episode does not.
  resize(disks.work, '112k')
  await tryNow()
  await until(() => engine.spoken.includes('It pulls less.'))
  await failsWith(`/work/media/${post_id} cannot be used (ENOSPC)`)
  resize(disks.work, '2m')
  await tryNow()
  await failsWith('The media folder % cannot be used (ENOSPC in write)')
  assert.deepEqual(readdirSync(disks.store), [])
  resize(disks.store, '2m')
  await tryNow()
  await until(() => isDone(job_id))
  // The one that could not be saved was spoken again.
  assert.ok(engine.spoken.length <= 8, engine.spoken.join())
  assert.equal(readdirSync(disks.store).length, 5)
})

test('episodes that never became those of a post are removed after a day; others stay', async () => {
  const { job_id } = await begin('Stored')
  await until(() => isDone(job_id))
  const used = readdirSync(disks.store)
  const [orphan, recent, own] = [`${'a'.repeat(64)}.mp3`, `${'b'.repeat(64)}.mp3`, `${randomUUID()}.mp3`]
  for (const name of [orphan, recent, own]) writeFileSync(path.join(disks.store, name), 'sound')
  const old = new Date(Date.now() - 2 * 86_400_000)
  for (const name of [...used, orphan, own]) utimesSync(path.join(disks.store, name), old, old)
  await service.db.transaction(tx => service.kernel.jobs.enqueue(tx, RemoveOrphans, {}))
  await until(() => !readdirSync(disks.store).includes(orphan))
  assert.deepEqual(readdirSync(disks.store).sort(), [...used, recent, own].sort())
})
