import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SettingView } from '../../core/settings/types.ts'
import { createInstallation, type TestInstallation } from '../helpers/installation.ts'

let installation: TestInstallation
before(async () => {
  installation = await createInstallation()
})
after(() => installation.close())
const settings = (...argv: string[]) => installation.run(['settings', ...argv])
const list = async (...argv: string[]): Promise<SettingView[]> =>
  JSON.parse((await settings('list', ...argv, '--json')).out).items
const keys = async (...argv: string[]) => (await list(...argv)).map(({ key }) => key)

test('list shows every setting, and each filter narrows it', async () => {
  await settings('set', 'own_note', 'kept', '--allow-new', '--category', 'mine')
  await settings('set', 'own_token', 's3cret', '--secret')
  await settings('disable', 'own_note')
  const all = await list()
  assert.deepEqual(await keys('--category', 'mine'), ['own_note'])
  assert.deepEqual(await keys('--disabled'), ['own_note'])
  assert.deepEqual(await keys('--changed'), ['own_note', 'own_token'])
  assert.deepEqual(
    await keys('--secret'),
    all.filter(item => item.is_secret).map(({ key }) => key)
  )
  assert.deepEqual(await keys('--search', 'TIME zone'), ['operator_timezone'])
  assert.deepEqual(await keys('--search', 'own_', '--secret'), ['own_token'])
  assert.deepEqual(await keys('--category', 'nobody'), [])
  assert.equal((await settings('list', '--category', 'nobody')).out, 'No setting fits.')
  assert.match((await settings('list', '--changed')).out, /own_note +kept \(disabled\)/)
})

test('list shows what each value may be', async () => {
  const bounds = new Map((await list()).map(item => [item.key, item.bounds]))
  assert.equal(bounds.get('own_note'), null)
  assert.equal(bounds.get('development_mode'), 'true | false')
  assert.match(bounds.get('memory_max_bytes') ?? '', /^\d+…\d+$/)
  assert.match((await settings('list', '--search', 'memory_max_bytes')).out, /BOUNDS[\s\S]* \d+…\d+ /)
})

test('list cuts the bounds of a choice among many values; get shows a person all of them', async () => {
  const [{ bounds } = { bounds: null }] = await list('--search', 'podcast_category')
  assert.ok(bounds !== null && bounds.length > 1000)
  const { out } = await installation.run(['settings', 'list'], { columns: 10_000 })
  const row = out.split('\n').find(line => line.startsWith('podcast_category')) ?? ''
  assert.ok(row.includes(`${bounds.slice(0, 59)}…  media`), row)
  assert.equal((await settings('get', 'podcast_category')).err, '')
  const seen = await installation.run(['settings', 'get', 'podcast_category'], { answer: '' })
  assert.deepEqual([seen.out, seen.err], ['', `It may be ${bounds}.`])
})

test('people see which secrets are set; a declared public setting is made none', async () => {
  const unset = await settings('get', 'llm_api_key')
  assert.deepEqual([unset.out, unset.err], ['********', 'warning: llm_api_key is not set'])
  assert.match((await settings('list', '--search', 'llm_api_key')).out, /llm_api_key +\(not set\)/)
  await settings('set', 'llm_api_key', 'k')
  assert.match((await settings('list', '--search', 'llm_api_key')).out, /llm_api_key +\*{8}/)
  const refused = await settings('set', 'site_title', 'Hidden', '--secret')
  assert.notEqual(refused.status, 0)
  const [title] = await list('--search', 'site_title')
  assert.deepEqual([title?.value, title?.is_secret], [title?.default, false])
})

test('get prints the value alone; a secret’s only with --reveal, and then with a warning on stderr', async () => {
  assert.deepEqual(await settings('get', 'own_token'), { status: 0, out: '********', err: '' })
  const revealed = await settings('get', 'own_token', '--reveal')
  assert.equal(revealed.out, 's3cret')
  assert.match(revealed.err, /^warning: own_token is a secret/)
  const item = JSON.parse((await settings('get', 'own_token', '--reveal', '--json')).out)
  assert.deepEqual([item.value, item.is_secret, item.category], ['s3cret', true, 'secrets'])
  assert.deepEqual(await settings('get', 'operator_timezone', '--reveal'), { status: 0, out: 'UTC', err: '' })
})

test('a disabled secret is kept, and can be revealed', async () => {
  await settings('disable', 'own_token')
  assert.match(
    (await settings('get', 'own_token')).err,
    /^warning: own_token is disabled: this value is stored but not used/
  )
  assert.equal((await settings('get', 'own_token', '--reveal')).out, 's3cret')
  assert.deepEqual(await settings('set', 'own_token', 's3cret'), {
    status: 0,
    out: 'own_token = ********',
    err: 'warning: own_token is disabled: this value is stored but not used'
  })
  assert.match((await settings('enable', 'own_token')).out, /own_token is enabled/)
})

test('unset names an empty default', async () => {
  await settings('set', 'public_url', 'https://example.org')
  assert.equal((await settings('unset', 'public_url')).out, 'public_url = (empty), its default')
})

const refusals: [argv: string[], status: number, message: RegExp][] = [
  [['get', 'nobody_has_this'], 1, /There is no setting "nobody_has_this"/],
  [['set', 'nobody_has_this', 'x'], 1, /There is no setting .* --allow-new accepts a name that no plugin declares\.$/],
  [
    ['set', 'operator_timezone', 'Mars/Olympus'],
    2,
    /^error: operator_timezone must be an IANA time zone.*, not "Mars\/Olympus"\.$/
  ],
  [['set', 'operator_timezone'], 2, /<value> is required/],
  [['disable', 'nobody_has_this'], 1, /There is no setting/],
  [['rotate-key', '--force'], 2, /unknown flag --force/]
]
let unchanged: SettingView[] | undefined
for (const [argv, expected, message] of refusals) {
  test(`settings ${argv.join(' ')} is refused, and nothing changes`, async () => {
    unchanged ??= await list()
    const { status, out, err } = await settings(...argv)
    assert.deepEqual([status, out], [expected, ''])
    assert.match(err, message)
    assert.deepEqual(await list(), unchanged)
  })
}

test('a value may be negative, and a secret comes from stdin or is asked for unseen: never from the line', async () => {
  const { run } = installation
  const revealed = async (key: string) => (await settings('get', key, '--reveal')).out
  assert.equal((await settings('set', 'own_note', '-5')).out, 'own_note = -5')
  for (const argv of [['-'], ['--stdin'], ['-', '--stdin']]) {
    const { status, out } = await run(['settings', 'set', 'llm_api_key', ...argv], { stdin: `${argv.join('')}\r\n` })
    assert.deepEqual([status, out], [0, 'llm_api_key = ********'])
    assert.equal(await revealed('llm_api_key'), argv.join(''))
  }
  const asked = await run(['settings', 'set', 'llm_api_key'], { answer: 'typed' })
  assert.deepEqual([asked.status, asked.err], [0, 'Value of llm_api_key (it is not shown):'])
  assert.equal(await revealed('llm_api_key'), 'typed')
  assert.match((await run(['settings', 'set', 'llm_api_key', 'shown'], { answer: '' })).err, /the shell may remember/)
  for (const [argv, options, message] of [
    [['llm_api_key'], {}, /<value> is required: give it, or - to read it from stdin/],
    [['llm_api_key', '--json'], { answer: 'typed' }, /is required/],
    [['llm_api_key'], { answer: '' }, /is empty: nothing was changed/],
    [['operator_timezone'], { answer: 'typed' }, /is required/],
    [['llm_api_key', 'x', '--stdin'], {}, /--stdin cannot be combined with <value>/],
    [['llm_api_key', '-'], { stdin: 'x'.repeat(1024 * 1024 + 1) }, /has more than 1048576 bytes/]
  ] as const) {
    const { status, err } = await run(['settings', 'set', ...argv], options)
    assert.equal(status, 2, err)
    assert.match(err, message)
  }
  assert.equal(await revealed('llm_api_key'), 'shown')
})
