// Not on a server: no statement decides what a value may be.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startService, type TestService } from '../helpers/service.ts'

let service: TestService
before(async () => {
  service = await startService({ worker: false })
})
after(() => service.close())

const put = async (key: string, value: string) => {
  const { status, body } = await service.bearer('PUT', `/api/settings/${key}`, { value })
  return [status, body.errors?.value ?? '']
}

const useless: readonly [key: string, value: string, fault: RegExp][] = [
  ['model_prices', '{"m1":{}}', /^item m1 prices no request: give per_million_input_tokens and per_million_output/],
  ['model_prices', '{"m1":{"max_output_tokens":5}}', /^item m1 prices no request/],
  ['model_prices', '{"m1":{"per_million_output_tokens":2}}', /^item m1 prices no request/],
  ['niche_budgets', '{"nature":{}}', /^item nature is no budget: give monthly, daily or both$/],
  ['qa_banned_phrases', '["tide"," "]', /^item 1 must not be blank$/],
  ['cors_origins', 'https://press.example, https://*.press.example', /^must be \* or a comma list of whole origins/],
  ['site_navigation', 'About=https://', /^must give each link a name and a whole address/],
  ['site_navigation', 'About=https://press.example:80000', /^must give each link/],
  ['site_navigation', 'A=/a, =/about', /^must give each link/],
  ['site_logo_url', 'https://?', /^must match its description/],
  ['post_url', 'https://press.example:80000/{slug}', /^must be an address with a valid host/],
  ['podcast_funding_url', 'https://press.example:80000', /^must be an address with a valid host/]
]
for (const [key, value, fault] of useless)
  test(`${key} is refused, because it could never work: ${value}`, async () => {
    const [status, said] = await put(key, value)
    assert.deepEqual([status, fault.test(said)], [400, true], said)
  })

const taken: readonly [key: string, value: string][] = [
  ['model_prices', '{"m1":{"per_million_input_tokens":0}}'],
  ['model_prices', '{"v":{"per_second":0.1},"*":{"per_image":1,"max_output_tokens":9}}'],
  ['niche_budgets', '{"nature":{"daily":0}}'],
  ['site_navigation', 'About us=/posts/about, Shop=https://shop.example'],
  ['site_navigation', 'A=/x?next=https://a=b, B=http://[::1]:8000'],
  ['post_url', 'https://press.example:8000/{slug}.html?a={slug}']
]
for (const [key, value] of taken)
  test(`${key} is taken: ${value}`, async () => assert.deepEqual(await put(key, value), [200, '']))

test('an address that cannot be asked is refused, whatever it is for', async () => {
  const { settings } = service.kernel
  const keys = settings.list().flatMap(({ key }) => (/_(?:url|root|endpoint)$/.test(key) ? [key] : []))
  assert.ok(keys.length >= 16)
  for (const key of keys)
    for (const address of ['https://press.example:80000', 'https://[press'])
      await assert.rejects(settings.set(key, address), `${key} takes ${address}`)
})

test('an address without its beginning is refused with a word on how it begins', async () => {
  const { settings } = service.kernel
  for (const { key } of settings.list())
    if (/_(?:url|root|endpoint)$/.test(key)) {
      const said = await settings.set(key, 'press.example').catch((error: unknown) => JSON.stringify(error))
      assert.match(String(said), /:\/\//, key)
    }
})

const stored: readonly [key: string, value: string][] = [
  ['model_prices', '{"m1":{"per_image":1},"m2":{}}'],
  ['niche_budgets', '{"nature":{"daily":2},"coast":{}}'],
  ['qa_banned_phrases', '["tide"," "]'],
  ['cors_origins', 'https://press.example, https://*.press.example'],
  ['site_navigation', 'About=/posts/about, =/b']
]
test('one entry that could never work does not take the others with it that were stored with it', async () => {
  for (const [key, value] of stored)
    await service.db.query(
      `insert into app_settings (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value`,
      [key, value]
    )
  const { settings } = service.kernel
  await settings.load()
  for (const [key, value] of stored) {
    const { fault } = settings.find(key)
    assert.deepEqual([fault, settings.value(key)], [null, value])
  }
})
