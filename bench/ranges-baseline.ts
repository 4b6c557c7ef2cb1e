// A bare node:http that sends ranges of a buffer, with the headers that nginx sends: what Node itself can do.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const files = Array.from({ length: 8 }, (_, n) => Buffer.alloc(Number(process.argv[2]), n + 1))
let next = 0

const server = createServer(({ headers }, response) => {
  const [start = 0, end = 0] = (headers.range ?? '').slice('bytes='.length).split('-').map(Number)
  next = (next + 1) % files.length
  const content = files[next] as Buffer
  response.writeHead(206, {
    'content-type': 'audio/mpeg',
    etag: '"5f3759df"',
    'last-modified': 'Sat, 21 Nov 2020 02:15:15 GMT',
    'content-range': `bytes ${start}-${end}/${content.length}`,
    'content-length': end - start + 1
  })
  response.end(content.subarray(start, end + 1))
}).listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
