import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dayAt, daysUntil } from '../../../plugins/analytics/day.ts'
import { createRates } from '../../../plugins/analytics/rates.ts'
import { referrerHost } from '../../../plugins/analytics/referrer.ts'
import { createTally, type View } from '../../../plugins/analytics/tally.ts'

describe('the host of a referrer', () => {
  const own = ['www.own.example', 'localhost']
  const rows = [
    ['https://News.Example/a?b=c#d', 'news.example'],
    ['http://www.news.example:8080/', 'news.example'],
    ['https://user:word@news.example/', 'news.example'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://own.example/other', null],
    ['http://localhost:3000/', null],
    ['https://192.0.2.1/', null],
    ['https://[2001:db8::1]/', null],
    ['https://intranet/', null],
    ['javascript:alert(1)', null],
    ['android-app://com.example.reader/', null],
    [`https://${'a.'.repeat(130)}example/`, null],
    ['no address', null],
    ['', null]
  ] as const
  for (const [referrer, host] of rows)
    test(`of ${referrer.slice(0, 40) || 'nothing'} is ${host ?? 'not counted'}`, () => {
      assert.equal(referrerHost(referrer, own), host)
    })
})

test('days are those of the zone, and a month has all of them', () => {
  const moment = new Date('2028-02-29T23:30:00Z')
  assert.equal(dayAt(moment, 'UTC'), '2028-02-29')
  assert.equal(dayAt(moment, 'Europe/Stockholm'), '2028-03-01')
  assert.equal(dayAt(moment, 'Pacific/Pago_Pago'), '2028-02-29')
  assert.deepEqual(daysUntil('2028-03-01', 3), ['2028-02-28', '2028-02-29', '2028-03-01'])
})

test('a visitor is implausible from the sixth view of a page and the sixty-first of any in a minute, and not after it', () => {
  let now = new Date('2030-05-05T12:00:00Z')
  const rates = createRates(() => now)
  const found = (visitor: string, slugs: string[]) => slugs.filter(slug => rates.isImplausible(visitor, slug)).length
  assert.equal(
    found(
      'a',
      Array.from({ length: 7 }, () => 'same')
    ),
    2
  )
  assert.equal(
    found(
      'b',
      Array.from({ length: 63 }, (_, at) => `page-${at}`)
    ),
    3
  )
  assert.equal(found('c', ['same']), 0)
  now = new Date(now.getTime() + 60_000)
  assert.equal(found('a', ['same']) + found('b', ['page-1']), 0)
  now = new Date('2030-05-05T11:00:00Z')
  assert.equal(
    found(
      'a',
      Array.from({ length: 6 }, () => 'same')
    ),
    1
  )
})

describe('counts in memory', () => {
  const view = (slug: string, more: Partial<View> = {}): View => ({
    slug,
    machine: null,
    referrer: null,
    country: null,
    ...more
  })

  test('are bounded for addresses that nobody knows, and not for posts', () => {
    const tally = createTally()
    tally.admitPosts(Array.from({ length: 1_500 }, (_, at) => `post-${at}`))
    for (let at = 0; at < 1_500; at++) tally.add('2030-01-01', view(`unknown-${at}`))
    for (let at = 0; at < 1_500; at++) tally.add('2030-01-01', view(`post-${at}`))
    assert.equal(tally.size(), 2_500)
  })

  test('are whole again when they could not be stored', () => {
    const tally = createTally()
    tally.add('2030-01-01', view('a', { referrer: 'news.example', country: 'SE' }))
    const taken = tally.take()
    tally.add('2030-01-01', view('a', { machine: 'CCBot' }))
    tally.add('2030-01-02', view('a'))
    tally.putBack(taken)
    const none = { referrer: new Map(), country: new Map(), machine: new Map() }
    const first = {
      referrer: new Map([['news.example', 1]]),
      country: new Map([['SE', 1]]),
      machine: new Map([['CCBot', 1]])
    }
    assert.deepEqual(tally.take(), [
      { day: '2030-01-01', slug: 'a', views: 1, machines: 1, facets: first },
      { day: '2030-01-02', slug: 'a', views: 1, machines: 0, facets: none }
    ])
  })

  test('have at most a hundred names for an address; the rest is other', () => {
    const tally = createTally()
    for (let at = 0; at < 150; at++) tally.add('2030-01-01', view('a', { referrer: `host-${at}.example` }))
    const hosts = tally.take()[0]?.facets.referrer
    assert.deepEqual([hosts?.size, hosts?.get('other')], [101, 50])
  })
})
