import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { createInstallation } from '../../helpers/program.ts'

// Not on a server: it is one that refuses every connection.
const place = createInstallation()
let refusal = ''
const server = createServer(socket => {
  socket.on('error', () => {})
  socket.once('data', () => {
    const fields = ['SFATAL', `C${refusal}`, 'Mno', ''].join('\0')
    const body = Buffer.from(`${fields}\0`)
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    socket.end(Buffer.concat([Buffer.from('E'), length, body]))
  })
})
let url = ''

before(async () => {
  await new Promise<void>(done => void server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  url = `postgres://me@127.0.0.1:${port}/galley`
})
after(async () => {
  server.close()
  await place.close()
})

const keys = { POINDEXTER_SECRET_KEY: Buffer.alloc(32).toString('base64'), GALLEY_JWT_SECRET: 'x'.repeat(43) }
const remedies = {
  '28P01': 'check the login and the password in the URL',
  '3D000': 'create the database on that server, or name another one in the URL',
  '53300':
    'raise max_connections of the server, or the connection limit of the login or the database where the message names one: it has to allow 18 for each process of galley'
}
for (const [code, remedy] of Object.entries(remedies)) {
  test(`what a server refuses with ${code} has a remedy of its own, everywhere`, async () => {
    refusal = code
    const env = { ...keys, DATABASE_URL: url }
    const setup = await place.runHere(['setup', '--db-url', url])
    assert.ok(setup.stderr.endsWith(` cannot be used (no): ${remedy}.\n`), setup.stderr)
    const tasks = await place.runHere(['tasks', 'list'], { env })
    assert.ok(tasks.stderr.endsWith(` cannot be used (no): ${remedy}.\n`), tasks.stderr)
    const check = await place.runHere(['setup', '--check', '--db-url', url])
    assert.match(check.stdout, new RegExp(`^FAIL  database .*\n +→ ${remedy}$`, 'm'))
    const doctor = await place.runHere(['doctor', '--json'], { env })
    const { causes } = JSON.parse(doctor.stdout) as { causes: { name: string; remedy: string }[] }
    const found = causes.find(({ name }) => name === 'database')?.remedy ?? ''
    assert.equal(found.toLowerCase(), `${remedy}.`.toLowerCase())
  })
}

const withoutName = /must name a database, whatever PGDATABASE says: put its name behind the address, such as postgres:/

test('a URL that names no database is refused: it would be the one called like the login', async () => {
  for (const argv of [
    ['setup', '--db-url', 'postgres://postgres@127.0.0.1:1'],
    ['setup', '--check', '--db-url', 'postgres://postgres@127.0.0.1:1/'],
    ['move', '--to', 'postgres://postgres@127.0.0.1:1']
  ]) {
    const { status, stderr } = await place.runHere(argv, { env: keys })
    assert.match(stderr, withoutName, argv.join(' '))
    assert.equal(status, 2)
  }
})

test('so is one in DATABASE_URL, on the first setup only', async () => {
  const env = { DATABASE_URL: 'postgres://postgres@127.0.0.1:1' }
  const { status, stderr } = await place.runHere(['setup'], { env })
  assert.match(stderr, /^error: DATABASE_URL must name a database/)
  assert.match(stderr, withoutName)
  assert.equal(status, 2)
  const later = await place.runHere(['setup'], { env: { ...keys, ...env } })
  assert.match(later.stderr, /the database postgres on 127\.0\.0\.1:1 cannot be used/)
})
