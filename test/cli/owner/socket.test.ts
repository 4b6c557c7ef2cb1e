import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { type CliSession, runProgram } from '../../../cli/framework/run.ts'
import { createLog } from '../../../cli/log/json-log.ts'
import { connectOwner } from '../../../cli/owner/remote.ts'
import { listenForCommands, type OwnerSocket, type RunLine } from '../../../cli/owner/socket.ts'
import { socketPath } from '../../../cli/owner/socket-path.ts'
import { command } from '../../../core/contract/command.ts'
import { recordSession } from '../../helpers/session.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'galley-socket-'))
after(() => rmSync(folder, { recursive: true }))
const log = createLog('silent')
let homes = 0

function newHome(): string {
  const home = path.join(folder, String(homes++))
  mkdirSync(home, { mode: 0o700 })
  return home
}

async function withOwner<T>(
  run: RunLine,
  use: (home: string, owner: OwnerSocket) => Promise<T>,
  home = newHome()
): Promise<T> {
  const owner = await listenForCommands({ home, version: '1.0.0', url: 'http://127.0.0.1:1', run, log })
  try {
    return await use(home, owner)
  } finally {
    await owner.close()
  }
}

async function call(home: string, argv: string[], session: CliSession, stdin: Buffer[] = []): Promise<number> {
  const owner = await connectOwner({
    home,
    version: '1.0.0',
    stdin: (async function* () {
      yield* stdin
    })()
  })
  assert.ok(owner !== null)
  return await owner.run(argv, session)
}

test('a command runs in the owner with the caller’s arguments, folder and terminal', async () => {
  const run: RunLine = async (argv, { terminal, print }) => {
    const { cwd, columns, hasColour, isInteractive } = terminal
    terminal.note('a notice')
    print(JSON.stringify({ argv, cwd, columns, hasColour, isInteractive }))
    print('two\nlines')
    return 3
  }
  await withOwner(run, async home => {
    const session = recordSession({ cwd: '/somewhere', columns: 132, hasColour: true, isInteractive: true })
    assert.equal(await call(home, ['posts', 'list', '--limit', '5', 'ä\n'], session), 3)
    assert.deepEqual(session.err, ['a notice'])
    assert.deepEqual(JSON.parse(session.out[0] ?? ''), {
      argv: ['posts', 'list', '--limit', '5', 'ä\n'],
      cwd: '/somewhere',
      columns: 132,
      hasColour: true,
      isInteractive: true
    })
    assert.equal(session.out[1], 'two\nlines')
  })
})

test('stdin reaches the command that reads it, cut anywhere, and only that one', async () => {
  const text = 'Ein Körper über 日本'.repeat(20_000)
  const bytes = Buffer.from(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / 65_521) }, (_, index) =>
    bytes.subarray(index * 65_521, (index + 1) * 65_521)
  )
  const run: RunLine = async ([name], { terminal, print }) => {
    if (name === 'create') print(await terminal.readStdin())
    return 0
  }
  await withOwner(run, async home => {
    const reading = recordSession()
    await call(home, ['create'], reading, pieces)
    assert.equal(reading.out[0], text)
    let wasRead = false
    const owner = await connectOwner({
      home,
      version: '1.0.0',
      stdin: (async function* () {
        wasRead = true
        yield Buffer.from('x')
      })()
    })
    assert.equal(await owner?.run(['list'], recordSession()), 0)
    assert.equal(wasRead, false)
  })
})

test('questions and progress of a command are at the caller’s terminal', async () => {
  const run: RunLine = async (_, { terminal, print }) => {
    const progress = terminal.progress('copying')
    progress.update(1, 2)
    print(`${await terminal.ask('Go on?')} ${await terminal.ask('Really?')} ${await terminal.ask('So?')}`)
    progress.update(2, 2)
    progress.end()
    return 0
  }
  await withOwner(run, async home => {
    const session = recordSession({ answers: ['yes', 'ä'] })
    assert.equal(await call(home, [], session), 0)
    assert.deepEqual(session.out, ['yes ä null'])
    assert.deepEqual(session.err, ['Go on?', 'Really?', 'So?', 'copying: 2 of 2 (100 %)'])
  })
})

test('a question ends when its caller leaves', async () => {
  const ended = Promise.withResolvers<unknown>()
  const run: RunLine = async (_, { terminal }) => {
    await terminal.ask('Go on?').catch(ended.resolve)
    return 1
  }
  await withOwner(run, async home => {
    const asked = Promise.withResolvers<void>()
    const session = recordSession({
      ask: () => {
        asked.resolve()
        return new Promise(() => {})
      }
    })
    const status = call(home, [], session)
    await asked.promise
    session.interrupt()
    assert.equal(await status, 130)
    assert.match(String(await ended.promise), /AbortError/)
  })
})

test('stdin that is not text is refused', async () => {
  const program = {
    read: {
      describe: '',
      loadCommand: async () =>
        command({ describe: '', args: {}, run: ({ terminal }) => terminal.readStdin(), text: text => text })
    }
  }
  await withOwner(
    (argv, session) => runProgram({ name: 'galley', version: '1.0.0', program }, argv, session),
    async home => {
      for (const [bytes, fault] of [
        [[0xff, 0xfe], /not UTF-8 text/],
        [[0xff, 0xfe, 0x00], /a binary file/]
      ] as const) {
        const session = recordSession()
        assert.equal(await call(home, ['read'], session, [Buffer.from(bytes)]), 2)
        assert.match(session.err.join('\n'), fault)
      }
    }
  )
})

test('stdin is read no further than the limit the command names', async () => {
  const limits = { maxBytes: 100_000, field: 'file', limitName: 'setting memory_max_bytes' }
  const program = {
    read: {
      describe: '',
      loadCommand: async () =>
        command({ describe: '', args: {}, run: ({ terminal }) => terminal.readStdin(limits), text: text => text })
    }
  }
  const chunk = 'x'.repeat(9999)
  const stopped = Promise.withResolvers<void>()
  const endless = (async function* () {
    try {
      for (;;) {
        yield Buffer.from(chunk)
        await new Promise(setImmediate)
      }
    } finally {
      stopped.resolve()
    }
  })()
  await withOwner(
    (argv, session) => runProgram({ name: 'galley', version: '1.0.0', program }, argv, session),
    async home => {
      const session = recordSession()
      const owner = await connectOwner({ home, version: '1.0.0', stdin: endless })
      assert.equal(await owner?.run(['read'], session), 2)
      assert.deepEqual(session.err, [
        'error: stdin has more than 100000 bytes; at most 100000 are taken (setting memory_max_bytes).'
      ])
      // Nobody reads on behind the end of the command: else this waits for ever.
      await stopped.promise
    }
  )
})

test('a command is cancelled when its caller leaves, and others go on', async () => {
  const seen: string[] = []
  const started = Promise.withResolvers<void>()
  const cancelled = Promise.withResolvers<void>()
  const run: RunLine = async ([name], { terminal }) => {
    if (name !== 'wait') return 0
    terminal.signal.addEventListener('abort', () => {
      seen.push('aborted')
      cancelled.resolve()
    })
    started.resolve()
    await cancelled.promise
    return 130
  }
  await withOwner(run, async home => {
    const session = recordSession()
    const status = call(home, ['wait'], session)
    await started.promise
    assert.equal(await call(home, ['quick'], recordSession()), 0)
    session.interrupt()
    assert.equal(await status, 130)
    await cancelled.promise
    assert.deepEqual(seen, ['aborted'])
  })
})

test('a command that throws ends with an error, and the owner serves the next', async () => {
  const run: RunLine = async ([name]) => {
    if (name === 'break') throw new Error('unexpected')
    return 0
  }
  await withOwner(run, async home => {
    await assert.rejects(call(home, ['break'], recordSession()), /The server stopped before the command had ended/)
    assert.equal(await call(home, ['list'], recordSession()), 0)
  })
})

test('a caller of another version is refused, and the owner is told nothing', async () => {
  const run: RunLine = async () => assert.fail('the command ran')
  await withOwner(run, async home => {
    await assert.rejects(
      connectOwner({ home, version: '2.0.0' }),
      /\(process \d+\) is galley 1\.0\.0, this is 2\.0\.0: restart it/
    )
  })
})

test('a process that speaks something else is refused', async () => {
  const home = newHome()
  const stranger = createServer(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await new Promise<void>(done => stranger.listen(socketPath(home), done))
  await assert.rejects(connectOwner({ home, version: '1.0.0' }), /does not answer as a galley server does/)
  stranger.close()
})

test('a caller that sends something else is dropped, and the owner serves the next', async () => {
  await withOwner(
    async () => 0,
    async home => {
      const stranger = createConnection(socketPath(home))
      stranger.write('GET / HTTP/1.1\r\n\r\n')
      stranger.resume()
      await new Promise(done => stranger.on('close', done))
      assert.equal(await call(home, ['list'], recordSession()), 0)
    }
  )
})

test('the socket is its owner’s alone; a stale one is replaced, and none is left behind', async () => {
  const home = newHome()
  writeFileSync(socketPath(home), 'left by a process that died')
  await withOwner(
    async () => 0,
    async () => {
      assert.equal(statSync(socketPath(home)).mode & 0o777, 0o600)
      assert.equal(await call(home, ['list'], recordSession()), 0)
    },
    home
  )
  assert.equal(existsSync(socketPath(home)), false)
  assert.equal(await connectOwner({ home, version: '1.0.0' }), null)
})

test('a home with a long path gets its socket in a private folder of its own', async () => {
  const home = path.join(newHome(), 'a'.repeat(120))
  mkdirSync(home)
  const file = socketPath(home)
  assert.ok(Buffer.byteLength(file) <= 107)
  await withOwner(
    async () => 4,
    async () => {
      assert.equal(statSync(path.dirname(file)).mode & 0o777, 0o700)
      assert.equal(await call(home, ['list'], recordSession()), 4)
    },
    home
  )
  rmSync(path.dirname(file), { recursive: true })
  mkdirSync(path.dirname(file), { mode: 0o755 })
  await assert.rejects(connectOwner({ home, version: '1.0.0' }), /is not a private folder of this user/)
  rmSync(path.dirname(file), { recursive: true })
})

test('closing the owner interrupts what runs', async () => {
  const started = Promise.withResolvers<void>()
  const run: RunLine = async (_, { terminal }) => {
    started.resolve()
    await new Promise(done => terminal.signal.addEventListener('abort', done))
    return 130
  }
  await withOwner(run, async (home, owner) => {
    const status = call(home, ['wait'], recordSession())
    await started.promise
    const refused = assert.rejects(status, /The server stopped/)
    await owner.close()
    await refused
  })
})
