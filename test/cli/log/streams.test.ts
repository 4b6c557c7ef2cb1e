import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../../cli/log/json-log.ts'
import { plainTextStream, terminalStream } from '../../../cli/log/streams.ts'

const written: string[] = []
const log = createLog('warn', plainTextStream({ write: text => written.push(text) })).child({ plugin: 'memory' })

const sentences: Record<string, [Record<string, unknown>, string]> = {
  'an error gives its message, not its stack': [
    { err: new Error('It is away.') },
    'warning: it happened (It is away.)\n'
  ],
  'what it is about comes before the reason': [
    { source_table: 'memory', source_id: 'a\u001b[2J', reason: 'gone' },
    'warning: it happened (source_table memory; source_id a [2J; gone)\n'
  ],
  'nothing more to say, no brackets': [{}, 'warning: it happened\n']
}

for (const [title, [fields, expected]] of Object.entries(sentences)) {
  test(`a person reads a log line as a sentence: ${title}`, () => {
    log.warn(fields, 'it happened')
    assert.equal(written.splice(0).join(''), expected)
  })
}

test('an error is called one, and what is below a warning is not written', () => {
  log.info('nothing')
  log.error({ password: 'x' }, 'it broke')
  assert.deepEqual(written.splice(0), ['error: it broke (password ********)\n'])
})

test('at a terminal a service tells what happened when, and at which address', () => {
  const lines: string[] = []
  const write = (text: string) => lines.push(text.replace(/^\d\d:\d\d:\d\d /, 'TIME '))
  const service = createLog('info', terminalStream({ write }, false))
  service.info({ signal: 'SIGTERM' }, 'stopping')
  service.warn({ method: 'GET', path: '/api/posts', error_code: 'X', reason: 'gone' }, 'The database does not answer.')
  service.error({ err: new Error('a\u001b[2Jb\u202ec'), method: 'PUT', path: '/x' }, 'a request failed')
  assert.deepEqual(lines, [
    'TIME stopping (signal SIGTERM)\n',
    'TIME warning: GET /api/posts The database does not answer. (gone)\n',
    'TIME error: PUT /x a request failed (a [2Jbc)\n'
  ])
  createLog('info', terminalStream({ write }, true)).error('it broke')
  assert.match(lines[3] ?? '', /^TIME \u001b\[31merror\u001b\[\d+m: it broke\n$/)
})
