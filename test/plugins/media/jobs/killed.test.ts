import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
const [said, hold] = [path.join(folder, 'said'), path.join(folder, 'hold')]
const env = { GALLEY_PLUGINS: path.join(folder, 'plugins.config.json') }
const spokenLines = () => (existsSync(said) ? readFileSync(said, 'utf8') : '').split('\n').filter(Boolean)
const stored = () => readdirSync(path.join(place.home, 'media', 'episodes'))
const script = (sql: string) => useDatabase(place.home, undefined, db => db.script(sql))

before(async () => {
  const { plugins } = JSON.parse(readFileSync(path.join(packageRoot, 'plugins.config.json'), 'utf8'))
  writeFileSync(env.GALLEY_PLUGINS, JSON.stringify({ plugins: [...plugins, './engine'] }))
  mkdirSync(path.join(folder, 'engine'))
  writeFileSync(path.join(folder, 'tone.wav'), makeWav(tone(0.2, 16_000), { sampleRate: 16_000 }))
  writeFileSync(path.join(folder, 'engine', 'plugin.js'), enginePlugin())
  await installHome(place)
})
after(() => place.close())

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

test('an episode whose process is killed as it speaks, and again as its rows are written, is made of what is there', async () => {
  const file = path.join(folder, 'tides.md')
  writeFileSync(file, '# Tides\n\nThe sea rises.\n\n## The Moon\n\nIt pulls.\n\n## The Sun\n\nIt pulls less.')
  await json('settings', 'set', 'speech_driver', 'engine')
  const { post_id, slug } = await json('posts', 'create', '--from-file', file)
  await json('posts', 'publish', post_id)
  const { job_id } = await json('media', 'generate', post_id)

  writeFileSync(hold, '')
  const first = await serve()
  await until(() => spokenLines().includes('It pulls.'), 'it speaks')
  await kill(first)
  rmSync(hold)

  // What 11 seconds of silence come to: what ran is taken for lost.
  const silence = "update jobs.job set heartbeat_on = heartbeat_on - interval '11 s';"
  await script(`${silence}
    create function hold_row() returns trigger language plpgsql as $$ begin perform pg_sleep(600); return new; end $$;
    create trigger hold_row before insert on media_files for each row execute function hold_row()`)
  const second = await serve()
  await until(() => existsSync(path.join(place.home, 'media', 'episodes')) && stored().length >= 5, 'it is stored')
  await kill(second)
  const files = stored().filter(name => !name.startsWith('.'))

  await script(`${silence} drop function hold_row() cascade`)
  const third = await serve()
  await until(async () => (await json('media', 'status', job_id)).state === 'failed', 'it is given up')
  assert.match((await json('media', 'status', job_id)).error, /^Its process died twice while it ran/)
  const [, url] = await third.says(/ready at (\S+)/)
  assert.equal((await fetch(`${url}/api/posts/${slug}`)).status, 200)
  assert.equal((await json('media', 'generate', post_id)).job_id, job_id)
  await until(async () => (await json('media', 'status', job_id)).state === 'done', 'it is made')
  assert.deepEqual(spokenLines(), [
    'Tides',
    'The sea rises.',
    'The Moon',
    'It pulls.',
    'It pulls.',
    'The Sun',
    'It pulls less.'
  ])
  assert.deepEqual(stored().sort(), files.sort())
  assert.equal((await json('media', 'status', job_id)).files.length, 5)
  third.child.kill('SIGTERM')
  assert.equal((await third.ended).status, 0)
})
