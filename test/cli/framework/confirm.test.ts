import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runProgram } from '../../../cli/framework/run.ts'
import { command } from '../../../core/contract/command.ts'
import { NotFoundError } from '../../../core/contract/errors.ts'
import { recordSession } from '../../helpers/session.ts'

interface Row {
  argv: string[]
  isInteractive: boolean
  answers?: string[]
  status: number
  ran: boolean
  asked: boolean
}

async function run(isIrreversible: boolean, { argv, isInteractive, answers = [] }: Row) {
  let ran = false
  const clear = command({
    describe: 'Clear',
    args: { all: { type: 'boolean', describe: 'All' } },
    confirm: ({ args }) => (args.all ? { text: 'Remove all?', isIrreversible } : null),
    run: async () => {
      ran = true
    },
    text: () => 'cleared'
  })
  const program = { clear: { describe: 'Clear', loadCommand: async () => clear } }
  const session = recordSession({ isInteractive, answers })
  const status = await runProgram({ name: 'galley', version: '1.0.0', program }, ['clear', ...argv], session)
  return { status, ran, asked: session.err.includes('Remove all? [y/N]'), err: session.err.join('\n') }
}

const rows: Row[] = [
  { argv: [], isInteractive: true, status: 0, ran: true, asked: false },
  { argv: ['--all'], isInteractive: true, answers: ['y'], status: 0, ran: true, asked: true },
  { argv: ['--all'], isInteractive: true, answers: ['Yes'], status: 0, ran: true, asked: true },
  { argv: ['--all'], isInteractive: true, answers: [''], status: 1, ran: false, asked: true },
  { argv: ['--all'], isInteractive: true, answers: ['yesterday'], status: 1, ran: false, asked: true },
  { argv: ['--all'], isInteractive: true, answers: [], status: 1, ran: false, asked: true },
  { argv: ['--all', '--yes'], isInteractive: true, status: 0, ran: true, asked: false },
  { argv: ['--all', '-y'], isInteractive: false, status: 0, ran: true, asked: false }
]

test('a command that destroys asks a person first, and --yes answers', async () => {
  for (const row of rows) {
    for (const isIrreversible of [false, true]) {
      const { status, ran, asked, err } = await run(isIrreversible, row)
      assert.deepEqual(
        { status, ran, asked },
        { status: row.status, ran: row.ran, asked: row.asked },
        row.argv.join(' ')
      )
      if (!ran) assert.match(err, /Nothing was changed\.$/)
    }
  }
})

test('a script is not held up by what can be made good again', async () => {
  const expected = { status: 0, ran: true, asked: false }
  for (const row of [
    { ...expected, argv: ['--all'], isInteractive: false },
    { ...expected, argv: ['--all', '--json'], isInteractive: true }
  ]) {
    const { err, ...outcome } = await run(false, row)
    assert.deepEqual(outcome, expected, err)
  }
})

test('what is lost for good is refused where nobody can be asked', async () => {
  for (const argv of [['--all'], ['--all', '--json']]) {
    const outcome = await run(true, { argv, isInteractive: false, status: 2, ran: false, asked: false })
    assert.deepEqual([outcome.status, outcome.ran], [2, false])
    assert.match(outcome.err, /add --yes to go on/)
  }
})

test('a question may look first: what is not there is refused before anybody is asked', async () => {
  const clear = command({
    describe: 'Clear',
    args: {},
    confirm: async () => {
      throw new NotFoundError('There is nothing.')
    },
    run: async () => 1,
    text: () => 'cleared'
  })
  const program = { clear: { describe: 'Clear', loadCommand: async () => clear } }
  const session = recordSession({ isInteractive: true, answers: ['y'] })
  assert.equal(await runProgram({ name: 'galley', version: '1.0.0', program }, ['clear'], session), 1)
  assert.deepEqual(session.err, ['error: There is nothing.'])
})

test('a command without a question knows no --yes', async () => {
  const program = {
    look: {
      describe: 'Look',
      loadCommand: async () => command({ describe: 'Look', args: {}, run: async () => 1, text: () => '' })
    }
  }
  const session = recordSession()
  assert.equal(await runProgram({ name: 'galley', version: '1.0.0', program }, ['look', '--yes'], session), 2)
})
