import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askForDatabase, type DatabaseProbes } from '../../../cli/setup/questions.ts'
import type { Terminal } from '../../../core/contract/command.ts'

/** A person who types these lines, and then ends the input. */
function person(...lines: string[]) {
  const shown: string[] = []
  const terminal = { note: (line: string) => shown.push(line), ask: async () => lines.shift() ?? null }
  return { shown, terminal: terminal as unknown as Terminal }
}

const trials: DatabaseProbes = {
  docker: async () => 'No Docker engine answers.',
  server: async url => (url.includes('right') ? null : `No server answers at ${new URL(url).host}.`)
}

test('a server that does not answer is told, and asked for again', async () => {
  const { shown, terminal } = person('2', 'db.internal', 'postgres://wrong:5432/a', 'postgres://right:5432/a')
  assert.deepEqual(await askForDatabase(terminal, trials), { kind: 'server', url: 'postgres://right:5432/a' })
  assert.deepEqual(shown.slice(4), ['That is not an answer to the question.', 'No server answers at wrong:5432.'])
})

test('without a Docker engine the choice is offered again', async () => {
  const { shown, terminal } = person('3', '')
  assert.deepEqual(await askForDatabase(terminal, trials), { kind: 'embedded' })
  assert.deepEqual(shown.slice(4), ['No Docker engine answers.'])
})

test('an input that ends sets nothing up', async () => {
  await assert.rejects(askForDatabase(person('2', 'postgres://wrong/a').terminal, trials), /nothing was set up/)
})
