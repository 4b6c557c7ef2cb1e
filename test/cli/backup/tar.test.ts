import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readTar, tarEnd, tarHeader, tarPadding } from '../../../cli/backup/tar.ts'

const files: [string, Buffer][] = [
  ['backup.json', Buffer.from('{}')],
  ['empty', Buffer.alloc(0)],
  ['one-block', Buffer.alloc(512, 'x')],
  [`media/${'long-'.repeat(40)}.mp3`, Buffer.alloc(1500, 'y')],
  ['media/Zwölf Körbe 日本.mp3', Buffer.alloc(3, 'z')],
  [`media/${'ä'.repeat(90)}`, Buffer.alloc(513, 'w')]
]
const archive = Buffer.concat([
  ...files.flatMap(([name, body]) => [tarHeader(name, body.length), body, tarPadding(body.length)]),
  tarEnd()
])

async function* cutInto(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

for (const size of [1, 511, 512, 700, 100_000]) {
  test(`an archive is read back, however its bytes arrive: ${size} at once`, async () => {
    const read: [string, Buffer][] = []
    for await (const { name, body } of readTar(cutInto(archive, size))) {
      const chunks: Buffer[] = []
      for await (const chunk of body) chunks.push(chunk)
      read.push([name, Buffer.concat(chunks)])
    }
    assert.deepEqual(read, files)
  })
}

test('entries whose bytes nobody reads are passed over', async () => {
  const names: string[] = []
  for await (const { name } of readTar(cutInto(archive, 600))) names.push(name)
  assert.deepEqual(
    names,
    files.map(([name]) => name)
  )
})

test('tar itself lists the archive', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'galley-tar-'))
  try {
    writeFileSync(path.join(folder, 'a.tar'), archive)
    const listed = execFileSync('tar', ['--quoting-style=literal', '-tf', path.join(folder, 'a.tar')], {
      encoding: 'utf8'
    })
    assert.deepEqual(
      listed.trimEnd().split('\n'),
      files.map(([name]) => name)
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('a size beyond eight gigabytes is written and read', async () => {
  const header = tarHeader('media/film.mp4', 9_000_000_000)
  const entries = readTar(cutInto(header, 512))
  assert.equal((await entries.next()).value?.size, 9_000_000_000)
})

test('an archive that ends early, or whose header is damaged, is refused', async () => {
  const damaged = Buffer.from(archive)
  damaged[3] = (damaged[3] ?? 0) ^ 1
  const readAll = async (bytes: Buffer) => {
    for await (const _ of readTar(cutInto(bytes, 1000)));
  }
  await assert.rejects(readAll(archive.subarray(0, 1700)), /ends too early/)
  await assert.rejects(readAll(archive.subarray(0, archive.length - 1024)), /ends too early/)
  await assert.rejects(readAll(damaged), /header of the archive is damaged/)
})
