import assert from 'node:assert/strict'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { lockHome } from '../../cli/database/home-lock.ts'
import { openDatabase } from '../../cli/database/open.ts'
import { runLine } from '../../cli/main.ts'
import { createInstallation } from '../helpers/program.ts'
import { recordSession } from '../helpers/session.ts'

// The tests share one home, of which each spoils a part and repairs it again: making one takes seconds.
const place = createInstallation()
const { home } = place
const data = path.join(home, 'data')
const bootstrap = path.join(home, 'bootstrap.env')
const aside = path.join(path.dirname(home), 'aside')
after(() => place.close())

mkdirSync(home, { mode: 0o700 })
writeFileSync(
  bootstrap,
  `POINDEXTER_SECRET_KEY=${Buffer.alloc(32, 7).toString('base64')}\nGALLEY_JWT_SECRET=${'j'.repeat(43)}\n`,
  { mode: 0o600 }
)
const lock = lockHome(home)
await (await openDatabase({ home, create: true })).close()
lock.release()

/** Runs a command line as the program does, in this process. */
async function run(...argv: string[]) {
  const session = recordSession({ cwd: path.dirname(home), columns: 10_000 })
  const status = await runLine(argv, session, { GALLEY_HOME: home, LOG_LEVEL: 'silent' })
  return { status, said: [...session.err, ...session.out].join('\n') }
}

/**
 * Every name below a folder with its inode, mode, size and the time of its last change. No program can set that time: whatever
 * writes to a file moves it, which tells more than the content and is read faster.
 */
function snapshot(folder: string): string[] {
  const stats = lstatSync(folder, { throwIfNoEntry: false, bigint: true })
  if (stats === undefined) return []
  const line = `${folder} ${stats.ino} ${stats.mode} ${stats.size} ${stats.ctimeNs}`
  if (!stats.isDirectory()) return [line]
  return [line, ...readdirSync(folder).flatMap(name => snapshot(path.join(folder, name)))]
}

const looking: readonly string[][] = [
  ['doctor'],
  ['setup', '--check'],
  ['tasks', 'list'],
  ['settings', 'list'],
  ['migrate', 'status'],
  ['backup', 'verify', 'none.tar.gz'],
  ['jobs', 'status'],
  ['--help'],
  ['tasks', '--help']
]

const within = (...names: string[]) => path.join(data, ...names)
/** Puts something else in the place of a part; answers what undoes it. */
function replace(part: string, put: () => void): () => void {
  renameSync(part, aside)
  put()
  return () => {
    rmSync(part, { recursive: true, force: true })
    renameSync(aside, part)
  }
}
const without = (part: string) => () => replace(part, () => {})
const holding = (part: string, content: string | Buffer) => () => replace(part, () => writeFileSync(part, content))

/** Damages of the data folder, and what every command says of them. */
const damages: Record<string, [spoil: () => () => void, said: RegExp]> = {
  'its data folder is missing': [without(data), /data does not exist, and there was a database in it/],
  'its data folder is empty': [
    () => replace(data, () => mkdirSync(data)),
    /data is empty, and there was a database in it[\s\S]*mount its disk/
  ],
  'its data folder is a file': [holding(data, 'x'), /it is not a folder/],
  'its data folder is a link that leads nowhere': [
    () => replace(data, () => symlinkSync('/nowhere/at/all', data)),
    /a link that leads nowhere/
  ],
  'PG_VERSION is missing': [
    without(within('PG_VERSION')),
    /PG_VERSION is missing[\s\S]*put a whole copy of it back; or move/i
  ],
  'PG_VERSION is of another release': [
    holding(within('PG_VERSION'), '16\n'),
    /of PostgreSQL 16, and this galley opens 18/
  ],
  'PG_VERSION is rubbish': [holding(within('PG_VERSION'), 'rubbish'), /PG_VERSION is not readable/],
  'pg_control is missing': [without(within('global', 'pg_control')), /pg_control is missing/],
  'pg_control is cut': [
    () =>
      replace(within('global', 'pg_control'), () => {
        cpSync(aside, within('global', 'pg_control'))
        truncateSync(within('global', 'pg_control'), 100)
      }),
    /pg_control has 100 bytes instead of 8192/
  ],
  'pg_control is zeros': [holding(within('global', 'pg_control'), Buffer.alloc(8192)), /pg_control is not readable/],
  'the log is missing': [without(within('pg_wal')), /pg_wal is missing/],
  'the log is empty': [() => replace(within('pg_wal'), () => mkdirSync(within('pg_wal'))), /pg_wal holds no log/],
  'the tables are missing': [without(within('base')), /base is missing/]
}

for (const [title, [spoil, said]] of Object.entries(damages)) {
  test(`a home where ${title}: no command that looks writes, nor does setup`, async () => {
    const repair = spoil()
    const before = snapshot(home)
    try {
      for (const argv of [...looking, ['setup'], ['serve']]) {
        const result = await run(...argv)
        const line = argv.join(' ')
        assert.deepEqual(snapshot(home), before, line)
        if (line.includes('--help')) continue
        assert.match(result.said, said, line)
        assert.notEqual(result.status, 0, line)
      }
    } finally {
      repair()
    }
  })
}

test('a damage that shows only when the database is opened is told without the words of the runtime', async () => {
  const whole = path.join(path.dirname(home), 'whole')
  cpSync(data, whole, { recursive: true })
  try {
    // The catalogue of relations: without it the start is aborted.
    writeFileSync(within('base', '5', '1259'), '')
    const { status, said } = await run('tasks', 'list')
    assert.equal(status, 1)
    assert.match(said, /embedded database in \S+ does not start, and is probably damaged: put a whole copy of it back/)
  } finally {
    rmSync(data, { recursive: true })
    renameSync(whole, data)
  }
})

/** Damages of the home and of its keys, which concern every command alike. */
const faults: Record<string, [spoil: () => () => void, said: RegExp]> = {
  'it is a file': [holding(home, 'x'), /is not a folder/],
  'bootstrap.env is missing': [without(bootstrap), /bootstrap\.env is missing/],
  'bootstrap.env is rubbish': [holding(bootstrap, Buffer.alloc(300, 0xfe)), /may be read by others|KEY:? is missing/],
  'bootstrap.env has no keys': [
    () => replace(bootstrap, () => writeFileSync(bootstrap, 'LOG_LEVEL=info\n', { mode: 0o600 })),
    /POINDEXTER_SECRET_KEY:? is missing/
  ],
  'bootstrap.env may be read by others': [
    () => {
      chmodSync(bootstrap, 0o644)
      return () => chmodSync(bootstrap, 0o600)
    },
    /may be read by others \(mode 0644\)/
  ]
}

for (const [title, [spoil, said]] of Object.entries(faults)) {
  test(`a home where ${title}: no command that looks writes`, async () => {
    const repair = spoil()
    const before = snapshot(home)
    try {
      for (const argv of looking.filter(([word]) => word !== 'backup')) {
        const result = await run(...argv)
        assert.deepEqual(snapshot(home), before, argv.join(' '))
        if (!argv.includes('--help')) assert.match(result.said, said, argv.join(' '))
      }
    } finally {
      repair()
    }
  })
}

test('keys with Windows line ends and a byte order mark are read', async () => {
  const text = readFileSync(bootstrap, 'utf8')
  writeFileSync(bootstrap, `\ufeff${text.replaceAll('\n', '\r\n')}`)
  const { said } = await run('setup', '--check')
  writeFileSync(bootstrap, text)
  assert.match(said, /^OK {4}bootstrap .*keys are there\nOK {4}database /m)
})

test('setup --force goes on without a database that is lost, and keeps the keys', async () => {
  rmSync(data, { recursive: true })
  const keys = readFileSync(bootstrap, 'utf8')
  const { status, said } = await run('setup', '--force', '--yes')
  assert.equal(status, 0, said)
  assert.equal(readFileSync(bootstrap, 'utf8'), keys)
  assert.equal((await run('tasks', 'list')).status, 0)
  assert.ok(existsSync(within('PG_VERSION')))
})

test('backup list names the backups of a home whose database or configuration is lost', async () => {
  const archive = path.join(home, 'backups', 'kept.tar.gz')
  mkdirSync(path.dirname(archive))
  writeFileSync(archive, 'cut')
  for (const [part, why] of [
    [data, /^warning: \S+data does not exist/],
    [bootstrap, /^warning: .*put bootstrap\.env back/]
  ] as const) {
    const repair = without(part)()
    const { status, said } = await run('backup', 'list')
    repair()
    assert.match(said, why)
    assert.match(said, /\nkept\.tar\.gz [\s\S]*\n1 of 1 in /)
    assert.equal(status, 0)
  }
  rmSync(path.dirname(archive), { recursive: true })
  const repair = without(data)()
  const none = await run('backup', 'list')
  repair()
  assert.equal(none.status, 0, 'a home without the folder has no backups')
  assert.match(none.said, /^warning: \S+data does not exist[\s\S]*\nNo backup is in /)
  const wrong = await run('backup', 'list', '--limit', '0')
  assert.equal(wrong.status, 2)
  assert.doesNotMatch(wrong.said, /^warning/)
})
