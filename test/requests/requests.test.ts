import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { UnavailableError } from '#core'
import {
  addressFault,
  createDrivers,
  jsonHeaders,
  readResponseBody,
  readResponseStart,
  redirectFault,
  requestFailure,
  urlUnder
} from '#requests'

/** `/full` answers ten bytes; `/cut` three, and breaks off; `/silent` nothing; `/moved` a redirect. */
let server: Server
let url: string
before(async () => {
  server = createServer((request, response) => {
    if (request.url === '/full') response.end('0123456789')
    if (request.url === '/moved') response.writeHead(307, { location: 'http://other.example/v1?key=secret' }).end()
    if (request.url === '/cut')
      response.writeHead(200, { 'content-length': '10' }).write('012', () => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => {
  server.closeAllConnections()
  server.close()
})

const failureOf = (request: Promise<unknown>) =>
  request.then(() => assert.fail('the request has an answer'), requestFailure)

test('an answer is read up to its limit, and no further', async () => {
  assert.equal(await readResponseStart(await fetch(`${url}/full`), 4), '0123')
  assert.equal(await readResponseStart(await fetch(`${url}/full`), 40), '0123456789')
  assert.equal(String(await readResponseBody(await fetch(`${url}/full`), 10)), '0123456789')
  assert.equal(await readResponseBody(await fetch(`${url}/full`), 9), null)
})

test('of an answer that breaks off nothing is taken', async () => {
  assert.equal(await readResponseStart(await fetch(`${url}/cut`), 40), '')
  const body = readResponseBody(await fetch(`${url}/cut`), 40)
  assert.deepEqual(await failureOf(body), {
    mayHaveArrived: true,
    code: 'UND_ERR_SOCKET',
    reason: 'broke off (UND_ERR_SOCKET)'
  })
})

test('a failed request tells whether it may have arrived', async () => {
  const closed = createServer()
  await once(closed.listen(0, '127.0.0.1'), 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  assert.deepEqual(await failureOf(fetch(`http://127.0.0.1:${port}/`)), {
    mayHaveArrived: false,
    code: 'ECONNREFUSED',
    reason: 'cannot be reached (ECONNREFUSED)'
  })
  assert.deepEqual(await failureOf(fetch('http://127.0.0.1:4190/')), {
    mayHaveArrived: false,
    code: 'bad port',
    reason: 'needs another port: HTTP clients refuse this one (bad port)'
  })
  assert.deepEqual(await failureOf(fetch(`${url}/silent`, { signal: AbortSignal.timeout(1) })), {
    mayHaveArrived: true,
    code: 'TimeoutError',
    reason: 'did not answer in time'
  })
})

test('an address that can be asked is one over HTTP, without user and password', () => {
  for (const address of ['http://cdn.example', 'https://cdn.example:8443/purge?zone=1'])
    assert.equal(addressFault('cdn_url', address), null)
  for (const address of ['', 'cdn.example', 'ftp://cdn.example', 'https://me@cdn.example', 'https://:word@cdn.example'])
    assert.equal(
      addressFault('cdn_url', address),
      'cdn_url is not an address that can be asked: give http(s)://host/…, without user and password.'
    )
})

test('a redirect is a fault that names the host, the setting and no query', async () => {
  const answer = await fetch(`${url}/moved`, { redirect: 'manual' })
  assert.equal(
    redirectFault(answer, 'https://api.example/v1', 'llm_base_url'),
    'https://api.example/v1 answered 307 and redirects to http://other.example/v1. Redirects are not followed: set llm_base_url to where the endpoint is.'
  )
  assert.equal(redirectFault(await fetch(`${url}/full`), url, 'llm_base_url'), null)
})

test('a path is put under an address with or without slashes at its end', () => {
  for (const base of ['https://a.example/v1', 'https://a.example/v1/', 'https://a.example/v1//'])
    assert.equal(urlUnder(base, 'models'), 'https://a.example/v1/models')
})

test('a key becomes a header only when a header can hold it, and is in no message', () => {
  assert.deepEqual(jsonHeaders('', 'llm_api_key'), { 'content-type': 'application/json' })
  assert.equal(jsonHeaders(' sk-1\n', 'llm_api_key').authorization, 'Bearer sk-1')
  for (const key of ['sk 1', 'sk-1\r\nx: y', 'schlüssel'])
    assert.throws(
      () => jsonHeaders(key, 'llm_api_key'),
      (error: unknown) => error instanceof UnavailableError && !error.message.includes(key)
    )
})

test('a setting chooses among registered drivers, and a bad name or setting is told', () => {
  let name = 'command'
  const drivers = createDrivers<{ settingsFault?: string | null }>({
    kind: 'A speech driver',
    setting: 'speech_driver',
    chosenName: () => name
  })
  const embedded = {}
  drivers.register('embedded', embedded)
  drivers.register('command', { settingsFault: 'speech_command is missing' })
  assert.throws(
    () => drivers.register('embedded', {}),
    /^TypeError: A speech driver named embedded is registered already/
  )
  assert.equal(drivers.chosenFault(), 'speech_command is missing')
  name = 'embedded'
  assert.equal(drivers.chosen(), embedded)
  assert.deepEqual([drivers.chosenFault(), drivers.faultOf('embedded')], [null, null])
  assert.equal(drivers.faultOf('robot'), 'must be one of embedded, command')
  name = 'robot'
  const fault = 'The setting speech_driver is robot, which no plugin provides: set it to embedded or command.'
  assert.equal(drivers.chosenFault(), fault)
  assert.throws(() => drivers.chosen(), new UnavailableError(fault))
})
