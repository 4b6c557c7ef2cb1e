// Not on a server: pictures are decoded, and stored as files.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { type Answer, startService, type TestService } from '../../../helpers/service.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false })
})
after(() => service.close())

const size = { width: 60, height: 40 }
const plain = () => sharp({ create: { ...size, channels: 3, background: '#c04020' } })
const frame = Buffer.alloc(4 * 4 * 3, 200)

/** Sends bytes as a body of a type, and answers with the parsed body. */
async function send(bytes: Uint8Array | FormData, type?: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${service.token}`, ...(type === undefined ? {} : { 'content-type': type }) }
  const body = bytes instanceof FormData ? bytes : Buffer.from(bytes)
  const answer = await fetch(`${service.url}/api/images`, { method: 'POST', headers, body })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

async function read(url: string) {
  const answer = await fetch(url)
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, type: answer.headers.get('content-type'), bytes }
}

describe('POST /api/images', () => {
  test('stores a picture and says where it is', async () => {
    const { status, headers, body } = await send(await plain().png().toBuffer(), 'image/png')
    assert.equal(status, 201)
    assert.match(body.filename, /^[0-9a-f]{64}\.png$/)
    assert.deepEqual(body, {
      ...{ filename: body.filename, url: `${service.url}/images/generated/${body.filename}`, ...size },
      ...{ bytes: body.bytes, content_type: 'image/png' }
    })
    assert.equal(headers.get('location'), body.url)
    const served = await read(body.url)
    assert.deepEqual([served.status, served.type, served.bytes.length], [200, 'image/png', body.bytes])
  })

  test('is one file for the same picture twice', async () => {
    const bytes = await plain().jpeg().toBuffer()
    const first = await send(bytes, 'image/jpeg')
    const second = await send(bytes, 'application/octet-stream')
    assert.deepEqual(second.body, first.body)
  })

  for (const [kind, encode, type, extension] of [
    ['JPEG', () => plain().jpeg(), 'image/jpeg', 'jpg'],
    ['PNG', () => plain().png(), 'image/png', 'png'],
    ['WebP', () => plain().webp(), 'image/webp', 'webp'],
    ['AVIF', () => plain().avif({ effort: 0 }), 'image/webp', 'webp'],
    ['GIF', () => plain().gif(), 'image/webp', 'webp']
  ] as const)
    test(`takes a ${kind}, by its bytes, whatever its type says`, async () => {
      const { status, body } = await send(await encode().toBuffer(), 'application/octet-stream')
      assert.deepEqual([status, body.content_type, body.filename.split('.')[1]], [201, type, extension])
      assert.deepEqual([body.width, body.height], [60, 40])
    })

  test('turns a picture upright and removes what the camera wrote into it', async () => {
    const exif = { IFD0: { Copyright: 'me', Artist: 'Ada' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } }
    const { body } = await send(
      await plain().withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      'image/jpeg'
    )
    assert.deepEqual([body.width, body.height], [40, 60])
    const metadata = await sharp((await read(body.url)).bytes).metadata()
    assert.deepEqual([metadata.exif, metadata.xmp, metadata.icc, metadata.orientation], Array(4).fill(undefined))
  })

  test('keeps nothing that was behind or inside the picture', async () => {
    const bytes = Buffer.concat([await plain().jpeg().toBuffer(), Buffer.from('<script>alert(1)</script>PK\x03\x04')])
    const { status, body } = await send(bytes, 'image/jpeg')
    assert.equal(status, 201)
    assert.equal((await read(body.url)).bytes.includes('script'), false)
  })

  test('takes the file of a form', async () => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(await plain().png().toBuffer())]), '../../etc/passwd')
    const { status, body } = await send(form)
    assert.deepEqual([status, body.width], [201, 60])
    assert.match(body.filename, /^[0-9a-f]{64}\.png$/)
  })

  test('says what is wrong with a form of no file, and of two', async () => {
    const file = () => new Blob(['x'], { type: 'image/png' })
    const none = new FormData()
    none.append('file', 'A red field')
    const two = new FormData()
    for (const name of ['a.png', 'b.png']) two.append('file', file(), name)
    assert.match((await send(none)).body.message, /^The picture is missing: the form has no file\./)
    assert.match(
      (await send(two)).body.message,
      /^The picture is one of 2 in the form: send each in a form of its own\.$/
    )
    const more = new FormData()
    more.append('file', file(), 'a.png')
    more.append('alt', 'A red field')
    more.append('other', file(), 'b.png')
    const refused = await send(more)
    assert.equal(refused.status, 400)
    assert.match(
      refused.body.message,
      /comes in a form with the unknown field "alt", "other": send it alone, as the field file/
    )
  })

  test('has the colours of a picture for print and of one with 16 bits in the sRGB of screens', async () => {
    const grey = { create: { ...size, channels: 3, background: '#808080' } } as const
    const pictures = [
      await sharp(grey).toColourspace('cmyk').jpeg().toBuffer(),
      await sharp(grey).toColourspace('rgb16').png().toBuffer(),
      await sharp(grey).toColourspace('b-w').png().toBuffer()
    ]
    for (const bytes of pictures) {
      const { status, body } = await send(bytes, 'image/png')
      assert.equal(status, 201)
      const { data, info } = await sharp((await read(body.url)).bytes)
        .raw()
        .toBuffer({ resolveWithObject: true })
      assert.ok(Math.abs((data[0] ?? 0) - 128) < 20, `${data[0]} of ${info.channels} channels`)
      const { space, depth } = await sharp((await read(body.url)).bytes).metadata()
      assert.deepEqual([space === 'b-w' ? 'srgb' : space, depth], ['srgb', 'uchar'])
    }
  })

  const largeGif = () => {
    const gif = Buffer.from('GIF89a\xff\xff\xff\xff\x80\x00\x00\x00\x00\x00\xff\xff\xff,', 'latin1')
    return Buffer.concat([gif, Buffer.from('\x00\x00\x00\x00\xff\xff\xff\xff\x00\x02\x02D\x01\x00;', 'latin1')])
  }
  /** With the chunk behind the header that says how many frames there are, and how often they are shown. */
  const animatedPng = (png: Buffer, frames: number) => {
    const chunk = Buffer.alloc(20)
    chunk.writeUInt32BE(8)
    chunk.write('acTL', 4, 'latin1')
    chunk.writeUInt32BE(frames, 8)
    chunk.writeUInt32BE(crc32(chunk.subarray(4, 16)), 16)
    return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])
  }
  test('takes a PNG of the animated form that has one frame', async () => {
    assert.equal((await send(animatedPng(await plain().png().toBuffer(), 1), 'image/png')).status, 201)
  })

  const refused: Record<string, [() => Promise<Uint8Array> | Uint8Array, RegExp]> = {
    'an SVG': [() => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), /is no JPEG/],
    'a page': [() => Buffer.from('<!doctype html><script>alert(1)</script>'), /is no JPEG/],
    nothing: [() => new Uint8Array(), /is no JPEG/],
    'a PDF': [() => Buffer.from('%PDF-1.7'), /is no JPEG/],
    'a picture that ends in the middle': [
      async () => (await plain().resize(900, 900).jpeg().toBuffer()).subarray(0, 900),
      /cannot be decoded/
    ],
    'only the beginning of one': [() => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), /cannot be decoded/],
    'a page that begins like a picture': [
      () => Buffer.concat([Buffer.from('\xff\xd8\xff', 'latin1'), Buffer.from('<html><script>')]),
      /cannot be decoded/
    ],
    'a PNG of 20,000 × 20,000 pixels': [() => blackPng(20_000), /has 20000 × 20000 pixels/],
    'a GIF of 65,535 × 65,535 pixels': [largeGif, /has 65535 × 65535 pixels|cannot be decoded/],
    'an animated PNG': [async () => animatedPng(await plain().png().toBuffer(), 3), /is animated \(3 frames\)/],
    'an animation': [
      () =>
        sharp(Buffer.concat([frame, Buffer.alloc(48, 10)]), {
          raw: { width: 4, height: 8, channels: 3, pageHeight: 4 }
        })
          .gif()
          .toBuffer(),
      /is animated \(2 frames\)/
    ]
  }
  for (const [what, [make, fault]] of Object.entries(refused))
    test(`refuses ${what}, and stores nothing`, async () => {
      const { status, body } = await send(await make(), 'image/png')
      assert.deepEqual([status, body.error_code, Object.keys(body.errors)], [400, 'VALIDATION_ERROR', ['body']])
      assert.match(body.message, fault)
      assert.match(body.message, /^The picture .*\.$/)
    })

  test('refuses what is too large, in a form too, and what is no picture by its type', async () => {
    const large = Buffer.alloc(10_485_761, 'x')
    assert.deepEqual([(await send(large, 'image/png')).body.error_code], ['PAYLOAD_TOO_LARGE'])
    assert.equal((await send(Buffer.alloc(11_000_000), 'image/png')).status, 413)
    const typed = await send(Buffer.from('{}'), 'application/json')
    assert.equal(typed.status, 415)
    assert.match(
      typed.body.message,
      /"application\/json" is not accepted here: send image\/jpeg, .*multipart\/form-data\.$/
    )
    assert.equal((await send(Buffer.from('<svg/>'), 'image/svg+xml')).status, 415)
    assert.equal((await send(Buffer.from('x'), 'multipart/form-data; boundary=b')).status, 400)
  })

  test('is for clients that may write', async () => {
    const answer = await service.anonymous('POST', '/api/images', 'x', { 'content-type': 'image/png' })
    assert.equal(answer.status, 401)
  })

  test('answers others while pictures are read', async () => {
    const slow = await sharp({ create: { width: 4000, height: 4000, channels: 3, background: '#123456' } })
      .png()
      .toBuffer()
    const [sent, ...others] = await Promise.all([
      send(slow, 'image/png'),
      ...Array.from({ length: 4 }, () => service.anonymous('GET', '/api/health'))
    ])
    assert.deepEqual(
      [sent.status, sent.body.width, ...others.map(({ status }) => status)],
      [201, 3000, ...Array(4).fill(200)]
    )
  })
})

describe('galley media add', () => {
  test('stores the picture of a file', async () => {
    const folder = path.join(service.home, 'pictures')
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'a.png'), await plain().png().toBuffer())
    writeFileSync(path.join(folder, 'a.svg'), '<svg/>')
    const { status, out } = await service.run('media', 'add', path.join(folder, 'a.png'), '--json')
    const image = JSON.parse(out)
    assert.deepEqual([status, image.width, image.content_type], [0, 60, 'image/png'])
    assert.equal((await read(image.url)).status, 200)
    const refused = await service.run('media', 'add', path.join(folder, 'a.svg'))
    assert.deepEqual([refused.status, refused.out], [2, ''])
    assert.match(refused.err, /The picture is no JPEG/)
    assert.equal((await service.run('media', 'add', path.join(folder, 'none.png'))).status, 2)
  })
})

/** A whole picture of one bit a pixel: encoded by sharp, one of 20,000 × 20,000 takes ten seconds. */
function blackPng(side: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.writeUInt8(1, 8)
  const rows = Buffer.alloc(side * (1 + Math.ceil(side / 8)))
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(rows, { level: 1 })), pngChunk('IEND')]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
}

function pngChunk(type: string, data = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4)
  const checksum = Buffer.alloc(4)
  const named = Buffer.concat([Buffer.from(type), data])
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
