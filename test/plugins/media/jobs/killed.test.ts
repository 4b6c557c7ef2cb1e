import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { packageRoot } from '../../../../core/paths.ts'
import { installHome } from '../../../helpers/installed-home.ts'
import { createInstallation, type Running } from '../../../helpers/program.ts'
import { until } from '../../../helpers/until.ts'
import { useDatabase } from '../../../helpers/use-database.ts'
import { makeWav, tone } from '../../../helpers/wav.ts'

const place = createInstallation()
const folder = path.dirname(place.home)
const said = path.join(folder, 'said')
const hold = path.join(folder, 'hold')
const env = { GALLEY_PLUGINS: path.join(folder, 'plugins.config.json') }
/** Without what the checks of the service have spoken. */
const spokenLines = () =>
  (existsSync(said) ? readFileSync(said, 'utf8') : '')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('One, two'))
const stored = path.join(place.home, 'media', 'episodes')
const storedFiles = () => readdirSync(stored)
const script = (sql: string) => useDatabase(place.home, undefined, db => db.script(sql))

/** An engine that writes down what it is asked for, and hangs at one sentence while the file `hold` is there. */
const enginePlugin = () => `
  import { appendFileSync, existsSync, readFileSync } from 'node:fs'
  const [said, hold, tone] = ${JSON.stringify([said, hold, path.join(folder, 'tone.wav')])}
  export default {
    name: 'engine', contract: 1, describe: 'An engine of a test', needs: { speech: { id: 'media.speech' } },
    setup({ needs }) {
      needs.speech.addDriver('engine', { voice: 'Test', async speak({ text }) {
        appendFileSync(said, text + '\\n')
        if (text === 'It pulls.' && existsSync(hold)) await new Promise(() => {})
        return readFileSync(tone)
      } })
      return { services: {} }
    }
  }`

before(async () => {
  const { plugins } = JSON.parse(readFileSync(path.join(packageRoot, 'plugins.config.json'), 'utf8'))
  writeFileSync(env.GALLEY_PLUGINS, JSON.stringify({ plugins: [...plugins, './engine'] }))
  mkdirSync(path.join(folder, 'engine'))
  writeFileSync(path.join(folder, 'tone.wav'), makeWav(tone(0.2, 16_000), { sampleRate: 16_000 }))
  writeFileSync(path.join(folder, 'engine', 'plugin.js'), enginePlugin())
  await installHome(place)
})
after(() => place.close())

const json = async (...argv: string[]) => {
  const { status, stdout, stderr } = await place.runHere([...argv, '--json'], { env })
  assert.ok(stdout !== '', `${status} ${stderr}`)
  return JSON.parse(stdout)
}
async function serve(): Promise<Running> {
  const running = place.start(['serve'], { env })
  await running.says(/galley is ready/)
  return running
}
async function kill({ child, ended }: Running): Promise<void> {
  child.kill('SIGKILL')
  await ended
}

/** What 11 seconds of silence come to: what ran is taken for lost. From the third death on a job waits; here it does not. */
const silence =
  "update jobs.job set heartbeat_on = heartbeat_on - interval '11 s', start_after = least(start_after, now());"
/** Has the database stand still at a statement, and with it the process. */
const stopAt = (statement: string, when = '') =>
  script(`${silence}
    drop function if exists stand_still() cascade;
    create function stand_still() returns trigger language plpgsql as $$ begin perform pg_sleep(600); return new; end $$;
    create trigger stand_still before ${statement} for each row ${when} execute function stand_still()`)
const goOn = () => script(`${silence} drop function if exists stand_still() cascade`)
/** Serves until something is so, and is killed then. */
async function killOnce(is: () => boolean, what: string): Promise<void> {
  const running = await serve()
  await until(is, what)
  await kill(running)
}
// What is still being written has a name with a point before it.
const wholeFiles = () => storedFiles().filter(name => !name.startsWith('.'))
const work = (post_id: string) => path.join(place.home, 'work', 'media', post_id)
const encoded = () => globSync(path.join(place.home, 'work', 'media', '*', 'episode-*.{mp3,json}'))
const facts = () => encoded().map(file => [path.basename(file), statSync(file).mtimeMs])

test('an episode goes on after its process is killed as it speaks, as it starts, before it is stored and as its rows are written', async () => {
  const file = path.join(folder, 'tides.md')
  writeFileSync(file, '# Tides\n\nThe sea rises.\n\n## The Moon\n\nIt pulls.\n\n## The Sun\n\nIt pulls less.')
  await json('settings', 'set', 'speech_driver', 'engine')
  const { post_id, slug } = await json('posts', 'create', '--from-file', file)
  await json('posts', 'publish', post_id)
  const { job_id } = await json('media', 'generate', post_id)
  writeFileSync(hold, '')
  for (const times of [1, 2]) {
    await killOnce(() => spokenLines().filter(text => text === 'It pulls.').length === times, `it speaks, ${times}`)
    await goOn()
  }
  rmSync(hold)
  await stopAt('update on media_jobs', 'when (new.progress >= 90)')
  await killOnce(() => encoded().length === 2, 'it is encoded')
  const before = facts()

  await stopAt('insert on media_files')
  await killOnce(() => existsSync(stored) && wholeFiles().length >= 5, 'it is stored')
  // It was found, not encoded again.
  assert.deepEqual(facts(), before)
  const files = wholeFiles()

  await goOn()
  const last = await serve()
  await until(async () => (await json('media', 'status', job_id)).state === 'done', 'it is made')
  const [, url] = await last.says(/ready at (\S+)/)
  assert.equal((await fetch(`${url}/api/posts/${slug}`)).status, 200)
  const beforeIt = ['Tides', 'The sea rises.', 'The Moon']
  assert.deepEqual(spokenLines(), [...beforeIt, ...Array(3).fill('It pulls.'), 'The Sun', 'It pulls less.'])
  assert.deepEqual(storedFiles().sort(), files.sort())
  assert.equal((await json('media', 'status', job_id)).files.length, 5)
  last.child.kill('SIGTERM')
  assert.equal((await last.ended).status, 0)
})

test('a film goes on after its process is killed before it is begun, as it is made, before its row is written and as its job ends', async () => {
  const file = path.join(folder, 'chapters.md')
  // Cards take long enough to be killed among them.
  const chapters = Array.from({ length: 40 }, (_, at) => `## Chapter ${at}\n\nIt has words.`)
  writeFileSync(file, `# Chapters\n\nThe sea rises.\n\n${chapters.join('\n\n')}`)
  const { post_id } = await json('posts', 'create', '--from-file', file)
  await json('posts', 'publish', post_id)
  const before = storedFiles()
  const { job_id } = await json('media', 'generate', post_id, '--media', 'video')
  const inWork = (pattern: string) => globSync(path.join(work(post_id), pattern))
  const films = () => wholeFiles().filter(name => name.endsWith('.mp4'))

  // The audio is there, and the part of the film has just been reported.
  await stopAt('update on media_jobs', 'when (new.progress = 50)')
  await killOnce(() => wholeFiles().length === before.length + 5 && inWork('episode-*').length === 0, 'it is spoken')
  const spoken = spokenLines()
  await goOn()

  await killOnce(() => inWork('film-*/film.mp4').length === 1, 'its cards are drawn')
  assert.deepEqual([inWork('film-*.mp4'), films()], [[], []])
  const [left] = inWork('film-*')

  await stopAt('insert on media_files', "when (new.extension = 'mp4')")
  await killOnce(() => films().length === 1, 'it is stored')
  assert.deepEqual([left !== undefined && existsSync(left), inWork('film-*.mp4').length], [false, 1])
  const [film] = films()

  await stopAt('update on media_jobs', "when (new.state = 'done')")
  await killOnce(() => inWork('film-*').length === 0, 'it has its row')
  await goOn()

  // What a film that nobody goes on with would leave.
  mkdirSync(path.join(work(post_id), `film-${job_id}-left`))
  writeFileSync(path.join(work(post_id), `film-${job_id}-left`, 'episode.mp3'), 'sound')
  writeFileSync(path.join(work(post_id), `sentence.wav.${randomUUID()}`), 'half')
  const last = await serve()
  await until(async () => (await json('media', 'status', job_id)).state === 'done', 'it is made')
  const [, url] = await last.says(/ready at (\S+)/)
  assert.equal((await fetch(`${url}/episodes/${post_id}.mp4`)).status, 200)
  // Made once: a second one would have another name.
  assert.deepEqual([films(), storedFiles().length], [[film], before.length + 6])
  assert.deepEqual(spokenLines(), spoken)
  await until(() => readdirSync(work(post_id)).every(name => name.endsWith('.wav')), 'the work folder is trimmed')
  last.child.kill('SIGTERM')
  assert.equal((await last.ended).status, 0)
})
