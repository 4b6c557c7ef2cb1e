import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AlertGroup, groupKeyOf, mergeAlerts } from '../../../plugins/webhooks/alert-group.ts'
import { shuffled } from './sign.ts'

const none: AlertGroup = { alerts: {}, is_firing: false }
const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour)).toISOString()
const alert = (fingerprint: string, start: number, end?: number) => ({
  fingerprint,
  status: end === undefined ? 'firing' : 'resolved',
  startsAt: at(start),
  endsAt: end === undefined ? '0001-01-01T00:00:00Z' : at(end)
})
const message = (...alerts: object[]) => ({ groupKey: 'g', alerts })

function mergeAll(messages: readonly object[]) {
  let group = none
  const news = messages.map(sent => {
    const merged = mergeAlerts(group, { ...sent })
    group = merged.group
    return merged.news
  })
  return { group, news: news.filter(each => each !== null) }
}

const history = [
  message(alert('a', 1)),
  message(alert('a', 1), alert('b', 2)),
  message(alert('a', 1, 3), alert('b', 2)),
  message(alert('b', 2, 4)),
  message(alert('a', 5)),
  message(alert('a', 5, 6))
]

test('a history is told step by step', () => {
  const { group, news } = mergeAll(history)
  assert.deepEqual(news, ['firing', 'still firing', 'still firing', 'resolved', 'firing', 'resolved'])
  assert.equal(group.is_firing, false)
})

test('it ends the same whatever the order, and what is doubled is told once', () => {
  const stateOf = ({ alerts, is_firing }: AlertGroup) => [
    is_firing,
    ['a', 'b'].map(key => [alerts[key]?.isFiring, alerts[key]?.since])
  ]
  const inOrder = stateOf(mergeAll(history).group)
  for (let seed = 1; seed <= 200; seed++) {
    const { group, news } = mergeAll(shuffled([...history, ...history], seed))
    assert.deepEqual(stateOf(group), inOrder, `${seed}`)
    assert.ok(news.length <= history.length && news.at(-1) === 'resolved', `${seed}: ${news}`)
  }
})

test('an alert whose resolution was lost ends with the next message that does not name it', () => {
  const { news, group } = mergeAll([message(alert('a', 1), alert('b', 1)), message(alert('b', 1, 3))])
  assert.deepEqual([news, group.is_firing], [['firing', 'resolved'], false])
  // A truncated message does not name all.
  const truncated = { ...message(alert('b', 1, 3)), truncatedAlerts: 1 }
  assert.equal(mergeAll([message(alert('a', 1), alert('b', 1)), truncated]).group.is_firing, true)
})

test('rubbish is no fault, and of many alerts the resolved ones are forgotten first', () => {
  for (const alerts of [[null], [5, 'x'], [{ startsAt: 7, endsAt: {}, labels: 'x' }]])
    assert.ok(mergeAll([{ groupKey: 'g', alerts }]).news.length <= 1)
  const many = Array.from({ length: 499 }, (_, index) => alert(`old${index}`, 1, 2))
  const { group } = mergeAll([
    message(alert('fires', 1)),
    message(...many, alert('fires', 1)),
    message(alert('new', 3), alert('fires', 1))
  ])
  assert.equal(Object.keys(group.alerts).length, 500)
  assert.ok(group.alerts.fires?.isFiring && group.alerts.new?.isFiring)
})

test('a group is known by its key and receiver; a message without them is of none', () => {
  const key = groupKeyOf({ groupKey: 'g', receiver: 'r', alerts: [] })
  assert.equal(key, groupKeyOf({ groupKey: 'g', receiver: 'r', alerts: [{}], status: 'resolved' }))
  assert.notEqual(key, groupKeyOf({ groupKey: 'g', receiver: 's', alerts: [] }))
  for (const payload of [{}, { groupKey: 'g' }, { groupKey: '', alerts: [] }, { groupKey: 5, alerts: [] }])
    assert.equal(groupKeyOf(payload), null)
})
