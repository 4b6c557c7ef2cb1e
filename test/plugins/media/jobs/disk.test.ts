import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { globSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { RemoveOrphans } from '../../../../plugins/media/jobs/job-types.ts'
import { findingOf } from '../../../helpers/finding.ts'
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
const content = '# Tides\n\nThe sea rises.\n\n## The Moon\n\nIt pulls.\n\n## The Sun\n\nIt pulls less.'
const begin = async (title: string) => {
  const { post_id } = await makePublicPost(service, { title, content })
  return { post_id, job_id: (await service.bearer('POST', `/generate/${post_id}`, {})).body.job_id }
}
const isDone = async (job_id: string) =>
  (await service.bearer('GET', `/api/media/jobs/${job_id}`)).body.state === 'done'
/** Why a job failed that was tried `tries` times, once it has; its next try begins when the disk has room. */
async function failureOf(tries: number): Promise<string> {
  const sql = `select output ->> 'message' as message from jobs.job
    where name = 'media.make' and state = 'retry' and retry_count = $1`
  const messages = () => service.db.query<{ message: string }>(sql, [tries - 1])
  await until(async () => (await messages()).length > 0, `try ${tries} fails`)
  return (await messages())[0]?.message ?? ''
}
async function tryOn(folder: string, size: string): Promise<void> {
  execFileSync('mount', ['-o', `remount,size=${size}`, folder])
  await service.db.query(`update jobs.job set start_after = now() where name = 'media.make'`)
}

const filler = () => path.join(disks.work, 'filler')
/** Leaves so many bytes on the disk of the work folder. */
function fill(leave: number): void {
  const { bavail, bsize } = statfsSync(disks.work)
  writeFileSync(filler(), Buffer.alloc(bavail * bsize - leave))
}
/** Something else fills the disk while the last sentence is spoken. */
function fillWhileSpeaking(leave: number): void {
  engine.before(text => {
    if (text !== 'It pulls less.') return
    engine.before(() => {})
    fill(leave)
  })
}

test('doctor says that media which were made are not in the store that is set now', async t => {
  const { post_id, job_id } = await begin('Moved')
  await until(() => isDone(job_id))
  const finding = () => findingOf(service.kernel, 'media files')
  assert.deepEqual(await finding(), { status: 'ok', found: 'what was made is in the media store' })
  t.after(() => service.kernel.settings.set('media_store', ''))
  await service.kernel.settings.set('media_store', `file:${path.join(service.home, 'empty')}`)
  assert.equal((await service.anonymous('GET', `/episodes/${post_id}.mp3`)).status, 404)
  const { status, found, ...rest } = await finding()
  assert.equal(status, 'degraded')
  assert.match(
    found,
    /^Readers do not get media that were made: episodes\/[0-9a-f]{64}\.\w+ is not in the media store\.$/
  )
  assert.match(JSON.stringify(rest), /copy the folders images and episodes from the former place/)
  await service.kernel.settings.set('media_store', '')
  assert.equal((await finding()).status, 'ok')
})

test('on a full disk a job says which folder needs room, leaves nothing half, and goes on', async t => {
  if (!mount(disks.work, '10m', t)) return t.skip('a small disk cannot be mounted here')
  mount(disks.store, '16k', t)
  engine.reset()
  const { post_id, job_id } = await begin('Full')
  const workIsFull = new RegExp(`/work/media/${post_id} cannot be used \\(ENOSPC\\): make room on its disk`)
  assert.match(await failureOf(1), workIsFull)
  // An engine may have to be paid: it is not asked for what may not fit.
  assert.deepEqual(engine.spoken, [])
  fillWhileSpeaking(8000)
  await tryOn(disks.work, '64m')
  assert.match(await failureOf(2), workIsFull)
  // Now the sentence fits, and the episode does not.
  rmSync(filler())
  fillWhileSpeaking(24_000)
  await tryOn(disks.work, '64m')
  assert.match(await failureOf(3), workIsFull)
  rmSync(filler())
  await tryOn(disks.work, '64m')
  assert.match(await failureOf(4), /folder \S+ cannot be used \(ENOSPC in \w+\): make room on its disk/)
  assert.deepEqual(readdirSync(disks.store), [])
  // What is encoded stays for the next try.
  const encoded = () => globSync(path.join(disks.work, post_id, 'episode-*.mp3')).map(file => statSync(file).mtimeMs)
  const [first] = encoded()
  await tryOn(disks.store, '24k')
  await failureOf(5)
  assert.deepEqual([first === undefined, encoded()], [false, [first]])
  await tryOn(disks.store, '2m')
  await until(() => isDone(job_id))
  // The one that could not be saved was spoken again.
  assert.equal(engine.spoken.length, 7, engine.spoken.join())
  assert.equal(readdirSync(disks.store).length, 5)
})

test('a disk that runs full is named by doctor, with what to do, before a job fails', async t => {
  const other = path.join(service.home, 'other-disk')
  if (!mount(other, '2g', t)) return t.skip('a small disk cannot be mounted here')
  await service.kernel.settings.set('media_store', `file:${other}`)
  t.after(() => service.kernel.settings.set('media_store', ''))
  const finding = () => findingOf(service.kernel, 'media store')
  const resize = (folder: string, size: string) => execFileSync('mount', ['-o', `remount,size=${size}`, folder])
  assert.deepEqual(await finding(), { status: 'ok', found: `media lie in file:${other}` })
  for (const [size, status] of [
    ['512m', 'degraded'],
    ['64m', 'critical']
  ] as const) {
    resize(other, size)
    const { status: reached, found, ...rest } = await finding()
    assert.deepEqual([reached, found], [status, `${size.slice(0, -1)} MB are free on the disk of ${other}.`])
    assert.match(JSON.stringify(rest), /move the files to a larger disk and name it with media_store/)
  }
  resize(other, '2g')
  mount(disks.work, '64m', t)
  const { status, found } = await finding()
  assert.deepEqual([status, found], ['critical', `64 MB are free on the disk of ${disks.work}.`])
})

test('episodes that never became those of a post are removed after a day; others stay', async () => {
  const { job_id } = await begin('Stored')
  await until(() => isDone(job_id))
  const used = readdirSync(disks.store)
  const orphan = `${'a'.repeat(64)}.mp3`
  const recent = `${'b'.repeat(64)}.mp3`
  const own = `${randomUUID()}.mp3`
  for (const name of [orphan, recent, own]) writeFileSync(path.join(disks.store, name), 'sound')
  const old = new Date(Date.now() - 2 * 86_400_000)
  for (const name of [...used, orphan, own]) utimesSync(path.join(disks.store, name), old, old)
  await service.db.transaction(tx => service.kernel.jobs.enqueue(tx, RemoveOrphans, {}))
  await until(() => !readdirSync(disks.store).includes(orphan))
  assert.deepEqual(readdirSync(disks.store).sort(), [...used, recent, own].sort())
})
