import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rail, RailFinding } from '../../../plugins/tasks/ports.ts'
import { builtInRails } from '../../../plugins/tasks/rails/built-in.ts'
import { createCriticRail } from '../../../plugins/tasks/rails/critic.ts'
import { type QaSettings, runRails } from '../../../plugins/tasks/rails/qa.ts'
import { aDraft, anAssignment } from '../../helpers/draft.ts'

interface Answering extends Partial<Rail> {
  score?: number
}

const defaults: QaSettings = { scoreThreshold: 80, bannedPhrases: [], rails: {} }

function aRail({ score = 100, ...changes }: Answering = {}): Rail {
  const check = (): RailFinding => ({ score, note: `Scored ${score}.` })
  return { name: 'some', describe: 'A rail.', mode: 'required', threshold: 70, weight: 1, check, ...changes }
}

function run(rails: readonly Rail[], settings: Partial<QaSettings> = {}, signal = new AbortController().signal) {
  return runRails(rails, aDraft(), anAssignment(), { settings: { ...defaults, ...settings }, signal })
}

const broken: [what: string, check: Rail['check']][] = [
  ['answers null', () => null],
  [
    'throws',
    () => {
      throw new Error('down')
    }
  ],
  ['rejects', () => Promise.reject(new Error('down'))],
  ['answers NaN', () => ({ score: Number.NaN, note: '' })],
  ['answers more than 100', () => ({ score: 101, note: '' })],
  ['answers nothing', () => undefined as unknown as RailFinding]
]

test('a good draft passes every built-in rail', async () => {
  const qa = await run(builtInRails)
  assert.equal(qa.score, 100)
  assert.deepEqual(
    qa.rails.map(rail => [rail.name, rail.passed]),
    builtInRails.map(rail => [rail.name, true])
  )
  assert.equal(qa.reason, null)
})

test('the score is the mean by weight, over required and advisory rails alike', async () => {
  const qa = await run([aRail({ score: 100, weight: 3 }), aRail({ name: 'other', score: 71, mode: 'advisory' })])
  assert.equal(qa.score, 92.8)
  assert.equal(qa.passed, true)
})

test('a required rail that fails fails the whole, whatever the mean', async () => {
  const qa = await run([aRail({ weight: 99 }), aRail({ name: 'strict', score: 69 })])
  assert.equal(qa.passed, false)
  assert.equal(qa.reason, 'QA did not pass; failed: strict (Scored 69).')
})

test('an advisory rail that fails only costs its share of the score', async () => {
  const qa = await run([aRail({ weight: 9 }), aRail({ name: 'lenient', score: 0, mode: 'advisory' })])
  assert.deepEqual(
    { ...qa, rails: qa.rails.map(rail => rail.passed) },
    { score: 90, passed: true, rails: [true, false], reason: null, isConclusive: true }
  )
})

test('a mean below the threshold fails, naming the weakest rail', async () => {
  const rails = [aRail({ score: 79.96 }), aRail({ name: 'weak', score: 79.9, mode: 'advisory' })]
  const qa = await run(rails)
  assert.equal(qa.score, 79.9)
  assert.match(qa.reason ?? '', /score 79.9 is below qa_final_score_threshold \(80\), weakest: weak \(Scored 79.9\)/)
  assert.equal((await run(rails, { scoreThreshold: 79.9 })).passed, true)
})

for (const [what, check] of broken) {
  test(`a required rail that ${what} is left out and is no pass`, async () => {
    const qa = await run([aRail(), aRail({ name: 'lost', check })])
    assert.deepEqual([qa.passed, qa.score, qa.rails.map(rail => rail.name)], [false, 100, ['some']])
    assert.match(qa.reason ?? '', /required but could not run: lost/)
  })

  test(`an advisory rail that ${what} is left out and changes nothing`, async () => {
    const qa = await run([aRail(), aRail({ name: 'lost', mode: 'advisory', check })])
    assert.deepEqual([qa.passed, qa.score, qa.rails.length], [true, 100, 1])
  })
}

test('the reason a rail could not run is told', async () => {
  const reported: string[] = []
  const onFailure = (rail: string, error: unknown) =>
    reported.push(`${rail}: ${error instanceof Error ? error.message : error}`)
  const check = () => Promise.reject(new Error('down'))
  const signal = new AbortController().signal
  await runRails([aRail({ check })], aDraft(), anAssignment(), { settings: defaults, signal, onFailure })
  assert.deepEqual(reported, ['some: down'])
})

test('settings switch rails off, make them advisory and move their thresholds', async () => {
  const bad = aRail({ name: 'bad', score: 50 })
  const rails = [aRail({ weight: 9 }), bad]
  const set = (mode: 'required' | 'advisory' | 'off', threshold = 70) =>
    run(rails, { rails: { bad: { mode, threshold } } })
  assert.deepEqual(
    (await set('off')).rails.map(rail => rail.name),
    ['some']
  )
  assert.deepEqual(
    [(await set('required')).passed, (await set('advisory')).passed, (await set('required', 50)).passed],
    [false, true, true]
  )
})

test('with every rail off nothing passes', async () => {
  const qa = await run([aRail()], { rails: { some: { mode: 'off', threshold: 0 } } })
  assert.deepEqual([qa.score, qa.passed, qa.rails], [null, false, []])
  assert.match(qa.reason ?? '', /no check ran/)
})

test('a threshold that is no number passes nothing', async () => {
  assert.equal((await run([aRail()], { scoreThreshold: Number.NaN })).passed, false)
  assert.equal((await run([aRail()], { rails: { some: { mode: 'required', threshold: Number.NaN } } })).passed, false)
})

test('an aborted run rejects instead of reporting rails as failed', async () => {
  const stop = new AbortController()
  const check = () => {
    stop.abort(new Error('shutting down'))
    throw stop.signal.reason
  }
  await assert.rejects(run([aRail({ check })], {}, stop.signal), /shutting down/)
})

test('the built-in rails differ in name, and carry sane defaults', () => {
  assert.equal(new Set(builtInRails.map(rail => rail.name)).size, builtInRails.length)
  for (const { name, threshold, weight } of builtInRails) {
    assert.match(name, /^[a-z_]+$/)
    assert.ok(threshold >= 0 && threshold <= 100 && weight > 0, name)
  }
})

test('a critic is a rail that cannot run while the critic does not answer', async () => {
  const judging = createCriticRail({ name: 'x', judge: async () => ({ score: 40, note: 'Thin.' }) })
  const silent = createCriticRail({ name: 'x', judge: () => Promise.reject(new Error('down')) })
  assert.deepEqual((await run([aRail(), judging])).rails[1], {
    name: 'critic',
    required: false,
    passed: false,
    score: 40,
    note: 'Thin.'
  })
  assert.deepEqual(
    (await run([aRail(), silent])).rails.map(rail => rail.name),
    ['some']
  )
})

const down = () => {
  throw new Error('It does not answer.')
}
const verdicts: [what: string, rails: Rail[], isConclusive: boolean][] = [
  ['every required check ran', [aRail({ score: 10 })], true],
  ['a required check could not run', [aRail(), aRail({ name: 'down', check: down })], false],
  ['one could not run and another failed', [aRail({ score: 10 }), aRail({ name: 'down', check: down })], true],
  [
    'an advisory one could not run',
    [aRail({ score: 10 }), aRail({ name: 'down', mode: 'advisory', check: down })],
    true
  ],
  ['no check ran at all', [], false]
]
for (const [what, rails, isConclusive] of verdicts) {
  test(`a draft ${isConclusive ? 'has' : 'still waits for'} a verdict when ${what}`, async () => {
    assert.equal((await run(rails)).isConclusive, isConclusive)
  })
}
