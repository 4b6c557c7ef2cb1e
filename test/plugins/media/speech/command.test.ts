import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { readWavFormat } from '../../../../plugins/media/audio/wav.ts'
import { createCommandSpeech } from '../../../../plugins/media/speech/command.ts'
import { createSpeechDrivers } from '../../../../plugins/media/speech/registry.ts'
import { until } from '../../../helpers/until.ts'
import { makeWav, tone } from '../../../helpers/wav.ts'
import { speechSettings } from './speech-settings.ts'
import { checkedWavBy, wavBy } from './spoken-wav.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'galley-speech-'))
after(() => rmSync(folder, { recursive: true }))
const wavFile = path.join(folder, 'spoken.wav')
writeFileSync(wavFile, makeWav(tone(0.2, 16_000), { sampleRate: 16_000 }))

/** Runs a Node script as the engine. */
const speakBy = (
  script: string,
  args: string[] = [],
  settings: Record<string, unknown> = {},
  signal = new AbortController().signal
) => {
  const all = speechSettings({ speech_command: [process.execPath, '-e', script, ...args], ...settings })
  const drivers = createSpeechDrivers(all)
  return checkedWavBy(drivers, createCommandSpeech(all), { text: 'Hello $(id).', language: 'de' }, signal)
}
const isGone = (pid: number) => {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}
const answerWith = `process.stdout.write(require('fs').readFileSync(${JSON.stringify(wavFile)}))`

describe('a program of the operator', () => {
  test('gets the text on stdin and gives a WAV', async () => {
    const wav = await speakBy(
      `process.stdin.on('data', text => { if (String(text) !== 'Hello $(id).\\n') process.exit(3) }).on('end', () => { ${answerWith} })`
    )
    assert.equal(wav.length, 44 + 6400)
  })

  test('may open its text and its sound by path, and nothing but the sound is left', async () => {
    const script = `const fs = require('node:fs')
      if (fs.readFileSync('/dev/stdin', 'utf8') !== 'Hello.\\n') process.exit(3)
      fs.writeFileSync('/dev/stderr', 'a remark')
      fs.writeFileSync('/dev/stdout', fs.readFileSync(${JSON.stringify(wavFile)}))`
    const speech = createCommandSpeech(speechSettings({ speech_command: [process.execPath, '-e', script] }))
    const own = mkdtempSync(path.join(folder, 'own-'))
    const file = path.join(own, 'spoken.wav')
    assert.equal(await speech.speak({ text: 'Hello.', language: 'en', file }, new AbortController().signal), null)
    assert.deepEqual(readFileSync(file), readFileSync(wavFile))
    assert.deepEqual(readdirSync(own), ['spoken.wav'])
  })

  const flite = ['flite', '-voice', 'slt', '-f', '/dev/stdin', '-o', '/dev/stdout']
  const hasFlite = spawnSync('flite', ['--version']).error === undefined
  test('may be flite, as the settings show it', { skip: !hasFlite && 'flite is not installed' }, async () => {
    const all = speechSettings({ speech_command: flite })
    const words = { text: 'The sea rises twice a day.', language: 'en' }
    const wav = await checkedWavBy(createSpeechDrivers(all), createCommandSpeech(all), words)
    assert.ok(readWavFormat(wav).length > 16_000)
  })

  test('gets its arguments as they are, and the language in its place', async () => {
    const given = ['$(id)', '--voice={language}', 'a b']
    const wanted = JSON.stringify(['$(id)', '--voice=de', 'a b'])
    const script = `if (JSON.stringify(process.argv.slice(1)) === ${JSON.stringify(wanted)}) ${answerWith}`
    assert.ok((await speakBy(script, ['--', ...given])).length > 44)
  })

  test('sees none of the keys in the environment', async () => {
    process.env.POINDEXTER_SECRET_KEY_FOR_TEST = 'secret'
    const wav = await speakBy(`if (!('POINDEXTER_SECRET_KEY_FOR_TEST' in process.env)) ${answerWith}`)
    assert.ok(wav.length > 44)
  })

  test('runs at the lowest priority, its session too', { skip: process.platform !== 'linux' }, async () => {
    // It waits until it is so: the service goes on as soon as the program runs.
    const script = `const { existsSync, readFileSync } = require('node:fs')
      const file = '/proc/self/autogroup'
      const isLow = () => require('node:os').getPriority() === 19 &&
        (!existsSync(file) || / nice 19$/.test(readFileSync(file, 'utf8').trim()))
      const wait = () => isLow() ? ${answerWith} : setTimeout(wait, 5)
      wait()`
    assert.ok((await speakBy(script)).length > 44)
  })

  test('on a full disk is not what has to be corrected', async t => {
    const disk = mkdtempSync(path.join(folder, 'disk-'))
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', disk])
    if (mounted.status !== 0) return t.skip('a small disk cannot be mounted here')
    t.after(() => spawnSync('umount', ['-l', disk]))
    for (const script of [answerWith, `try { ${answerWith} } catch {}`]) {
      const speech = createCommandSpeech(speechSettings({ speech_command: [process.execPath, '-e', script] }))
      const spoken = speech.speak(
        { text: 'Hello.', language: 'en', file: path.join(disk, 'spoken.wav') },
        new AbortController().signal
      )
      await assert.rejects(spoken, new RegExp(`^UnavailableError: The work folder ${disk} cannot be used \\(ENOSPC\\)`))
      assert.deepEqual(readdirSync(disk), [])
    }
  })

  const faults: [what: string, script: string, message: RegExp][] = [
    ['gives nothing', '', /gave no sound: 0 bytes/],
    [
      'gives a header alone and says why',
      `process.stdout.write(Buffer.from(${JSON.stringify(makeWav([]).toString('base64'))}, 'base64')); console.error('no voice')`,
      /gave no sound: a WAV without samples for "Hello \$\(id\)\.", saying: no voice\.$/
    ],
    [
      'gives nothing and says why',
      `console.error('loading\\r50 %\\nloading: no voice.\\n\\u001b[31mGive \\u0007one.\\u001b[0m')`,
      /gave no sound: 0 bytes, saying: loading: no voice\. Give one\.$/
    ],
    [
      'prints junk and says why',
      `console.log('junk, and more of it'); console.error('x'.repeat(9000) + ' the end')`,
      /gave \d+ bytes that are no WAV, saying: x{199}…\.$/
    ],
    [
      'breaks off',
      `process.stdout.write(require('node:fs').readFileSync(${JSON.stringify(wavFile)}).subarray(0, 3044))`,
      /gave a WAV that breaks off: its header promises 6400 bytes of samples, and 3000 came\.$/
    ],
    ['prints junk', `console.log('loading voices… ready')`, /bytes that are no WAV/],
    ['fails', `console.error('no voice\\u0007 slt'); process.exit(2)`, /ended with 2, saying: no voice slt\.$/],
    ['dies', `process.kill(process.pid, 'SIGSEGV')`, /ended with SIGSEGV/],
    [
      'prints without end',
      `const b = Buffer.alloc(1e6); const f = () => process.stdout.write(b, f); f()`,
      /sent more than 18000000 bytes/
    ],
    [
      'complains without end',
      `const b = Buffer.alloc(1e6); const f = () => process.stderr.write(b, f); f()`,
      /sent more than 18000000 bytes/
    ]
  ]
  for (const [what, script, message] of faults)
    test(`that ${what} is told of`, () => assert.rejects(speakBy(script), message))

  test('is run again where another try may end otherwise', async () => {
    const retryOf = (script: string) =>
      speakBy(script).then(
        () => undefined,
        error => error.retryAfterMs
      )
    assert.equal(await retryOf(`process.kill(process.pid, 'SIGKILL')`), 0)
    assert.equal(await retryOf('process.exit(3)'), null)
  })

  test('that hangs is ended after its time', () =>
    assert.rejects(
      speakBy('setInterval(() => {}, 1000)', [], { speech_timeout_seconds: 0.2 }),
      /did not speak a sentence within 0\.2 s \(speech_timeout_seconds\)/
    ))

  test('ends with its caller', async () => {
    const caller = new AbortController()
    const started = path.join(folder, 'started')
    const script = `require('node:fs').writeFileSync(${JSON.stringify(started)}, String(process.pid)); setInterval(() => {}, 1000)`
    const spoken = speakBy(script, [], {}, caller.signal)
    await until(() => existsSync(started) && readFileSync(started, 'utf8') !== '')
    caller.abort(new Error('gone'))
    await assert.rejects(spoken, /gone/)
    const pid = Number(readFileSync(started, 'utf8'))
    await until(() => isGone(pid))
  })

  test('that is not there is told of', () =>
    assert.rejects(
      wavBy(createCommandSpeech(speechSettings({ speech_command: ['/no/such/engine'] })), {
        text: 'x',
        language: 'en'
      }),
      /\/no\/such\/engine could not be started \(ENOENT\): correct speech_command/
    ))

  test('has to be named', () => {
    assert.match(createCommandSpeech(speechSettings()).settingsFault ?? '', /speech_command is empty: set it/)
  })
})
