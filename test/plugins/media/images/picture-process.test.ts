import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import sharp from 'sharp'
import { DrawingError } from '../../../../plugins/media/cover-error.ts'
import { createPictureProcess } from '../../../../plugins/media/picture-process/picture-process.ts'

const picture = (side: number) => sharp({ create: { width: side, height: side, channels: 3, background: '#345' } })
const small = { bytes: await picture(20).png().toBuffer(), contentType: 'image/png' }
/** Takes more memory than a picture may. */
const large = { bytes: await picture(6300).avif({ effort: 0 }).toBuffer(), contentType: 'image/avif' }

/** The child processes of this one. */
function childrenOf(pid: number): number[] {
  const isChild = (entry: string) => {
    try {
      return Number(readFileSync(`/proc/${entry}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === pid
    } catch {
      return false
    }
  }
  return readdirSync('/proc').filter(isChild).map(Number)
}

const isLinux = process.platform === 'linux'

test('a picture that takes too much memory is refused, and the next one is read', { skip: !isLinux }, async () => {
  const pictures = createPictureProcess()
  const refused = pictures.make({ name: 'convertUpload', input: large })
  const next = pictures.make({ name: 'convertUpload', input: small })
  await assert.rejects(refused, { name: 'PictureError', message: /takes more than 600 MB of memory/ })
  assert.equal((await next).width, 20)
})

test('a picture that takes too long is refused', async () => {
  const pictures = createPictureProcess({ callMs: 20, wallMs: 120_000, memoryMb: 600 })
  const input = { ...large, bytes: await picture(6000).png({ compressionLevel: 1 }).toBuffer() }
  await assert.rejects(pictures.make({ name: 'convertUpload', input }), {
    name: 'PictureError',
    message: 'takes more than 0.02 s: make it smaller'
  })
})

test('what is drawn here has no sender to be told', async () => {
  const pictures = createPictureProcess({ callMs: 20, wallMs: 120_000, memoryMb: 600 })
  const input = {
    format: 'podcast',
    template: 'plain',
    title: 'Tides',
    category: '',
    site: '',
    language: 'en'
  } as const
  await assert.rejects(pictures.make({ name: 'drawCover', input: { ...input, fontFolder: '' } }), {
    code: 'SERVICE_UNAVAILABLE',
    message: 'A cover could not be drawn: it takes more than 0.02 s.'
  })
})

test('a fault of the drawing itself is a sentence, and its stack is in the cause alone', async () => {
  const drawn = createPictureProcess().make({
    name: 'drawCover',
    input: { format: 'post', template: 'none', title: '', category: '', site: '', language: 'en', fontFolder: '' }
  })
  await assert.rejects(drawn, (error: unknown) => {
    // It may pass: only a CoverError ends the job.
    assert.ok(error instanceof DrawingError)
    assert.match(error.message, /^A cover could not be drawn: the log of the service says why\. Ask again/)
    assert.match(String(error.cause), /There is no cover template none\.\n +at .*draw-cover/)
    return true
  })
})

test('a picture that has no processor is no fault of the picture', { skip: !isLinux }, async () => {
  const pictures = createPictureProcess({ callMs: 30_000, wallMs: 1, memoryMb: 600 })
  await assert.rejects(pictures.make({ name: 'convertUpload', input: small }), {
    code: 'SERVICE_UNAVAILABLE',
    message: /not ready within 0\.001 s, for others have the processor/
  })
})

test('a child process that is killed fails one call', { skip: !isLinux }, async () => {
  const before = childrenOf(process.pid)
  const pictures = createPictureProcess()
  await pictures.make({ name: 'convertUpload', input: small })
  const [child] = childrenOf(process.pid).filter(pid => !before.includes(pid))
  assert.ok(child !== undefined)
  const call = pictures.make({
    name: 'convertUpload',
    input: { ...small, bytes: await picture(3000).png().toBuffer() }
  })
  setImmediate(() => process.kill(child, 'SIGKILL'))
  await assert.rejects(call, { code: 'SERVICE_UNAVAILABLE' })
  assert.equal((await pictures.make({ name: 'convertUpload', input: small })).width, 20)
})

test('a call that is given up ends, running or waiting', async () => {
  const pictures = createPictureProcess()
  const running = new AbortController()
  const waiting = new AbortController()
  const calls = [
    pictures.make({ name: 'convertUpload', input: small }, running.signal),
    pictures.make({ name: 'convertUpload', input: small }, waiting.signal),
    pictures.make({ name: 'convertUpload', input: small })
  ]
  waiting.abort(new Error('nobody waits any more'))
  setImmediate(() => running.abort(new Error('the client has gone')))
  const results = await Promise.allSettled(calls)
  assert.deepEqual(
    results.map(result => (result.status === 'rejected' ? result.reason.message : result.value.width)),
    ['the client has gone', 'nobody waits any more', 20]
  )
})

test('only so many pictures wait', async () => {
  const pictures = createPictureProcess()
  const calls = Array.from({ length: 40 }, () => pictures.make({ name: 'convertUpload', input: small }))
  const results = await Promise.allSettled(calls)
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 32)
  const refused = results.find(result => result.status === 'rejected')
  assert.match(refused?.reason.message, /Too many pictures wait/)
})
