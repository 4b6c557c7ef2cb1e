import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Db, Param } from '../../../core/contract/database.ts'
import { UnavailableError } from '../../../core/contract/errors.ts'
import { openEmbedded, openOnServer, testServerUrl } from '../../helpers/database.ts'

const drivers: [string, () => Promise<Db>][] = [['pglite', () => openEmbedded({ migrated: false })]]
if (testServerUrl !== undefined) {
  const url = testServerUrl
  drivers.push(['postgres', async () => (await openOnServer(url, { migrated: false })).db])
}

/** Expression, its value in JavaScript. */
const values: [string, unknown][] = [
  ['1::int4', 1],
  ['9007199254740991::int8', 9007199254740991],
  ['array[1, 2]::int8[]', [1, 2]],
  ['count(*)', 1],
  ['1.50::numeric', '1.50'],
  ['array[1.5, null]::numeric[]', ['1.5', null]],
  ['0.5::float8', 0.5],
  ['true', true],
  ['null::text', null],
  [`'naïve ✓'::text`, 'naïve ✓'],
  [`array['a', null, 'b "c"']::text[]`, ['a', null, 'b "c"']],
  [`'2026-11-21'::date`, '2026-11-21'],
  [`array['2026-11-21']::date[]`, ['2026-11-21']],
  [`'12:30'::time`, '12:30:00'],
  [`'2026-11-21 01:02:03.456789+00'::timestamptz`, '2026-11-21T01:02:03.456Z'],
  [`'2026-11-21 01:02:03+02'::timestamptz`, '2026-11-20T23:02:03.000Z'],
  [`'2026-11-21 01:02:03.5'::timestamp`, '2026-11-21T01:02:03.500Z'],
  [`array['2026-11-21 01:02:03+00', null]::timestamptz[]`, ['2026-11-21T01:02:03.000Z', null]],
  [`'infinity'::timestamptz`, 'infinity'],
  [`'0044-03-15 00:00:00+00 BC'::timestamptz`, '-000043-03-15T00:00:00.000Z'],
  [`'12026-01-01 00:00:00+00'::timestamptz`, '+012026-01-01T00:00:00.000Z'],
  [`'1 day 02:00'::interval`, 'P1DT2H'],
  [`'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
  [`'[1]'::json`, [1]],
  [`'\\x00ff'::bytea`, Buffer.from([0, 255])],
  [`'[1,2.5]'::vector`, '[1,2.5]'],
  [`'7f1c2c4e-0000-4000-8000-000000000001'::uuid`, '7f1c2c4e-0000-4000-8000-000000000001']
]

/** Parameter, the type it is bound to, what reads back. */
const params: [Param, string, unknown][] = [
  ['x', 'text', 'x'],
  ['5', 'int', 5],
  [5, 'int', 5],
  [5, 'text', '5'],
  [1.5, 'numeric', '1.5'],
  [true, 'boolean', true],
  [null, 'text', null],
  [new Date('2026-11-21T01:02:03.004Z'), 'timestamptz', '2026-11-21T01:02:03.004Z'],
  ['2026-11-21T01:02:03.004Z', 'timestamptz', '2026-11-21T01:02:03.004Z'],
  [Buffer.from([1, 0]), 'bytea', Buffer.from([1, 0])],
  [['a', 'b,"c'], 'text[]', ['a', 'b,"c']],
  [[1, 2], 'int[]', [1, 2]],
  [[], 'int[]', []],
  [JSON.stringify([{ a: 1 }]), 'jsonb', [{ a: 1 }]],
  ['[1,2]', 'vector', '[1,2]']
]

for (const [name, open] of drivers) {
  describe(`the ${name} driver`, () => {
    let db: Db
    before(async () => {
      db = await open()
      await db.script('create extension if not exists vector; create table item (id int primary key, note text)')
    })
    after(() => db.close())

    for (const [expression, expected] of values) {
      test(`reads ${expression}`, async () => {
        assert.deepEqual(await db.query(`select ${expression} as value`), [{ value: expected }])
      })
    }

    test('reads columns as each row comes, as it is told to', async () => {
      const sql = `select n, encode(('row ' || n)::bytea, 'base64') as bytes, null::text as nothing from generate_series(1, $1::int) as n`
      const parse = { bytes: (text: string) => Buffer.from(text, 'base64').toString(), nothing: assert.fail }
      const rows = [1, 2].map(n => ({ n, bytes: `row ${n}`, nothing: null }))
      assert.deepEqual(await db.query(sql, [2], { parse }), rows)
      assert.deepEqual(await db.transaction(tx => tx.query(sql, [2], { parse })), rows)
      const failure = new RangeError('no number')
      const failing = { parse: { bytes: () => assert.fail(failure) } }
      await assert.rejects(db.query(sql, [2], failing), ({ cause }) => cause === failure)
      await assert.rejects(db.query('select 1 / $1::int as bytes', [0], { parse }), { code: '22012' })
      assert.equal((await db.query(sql, [1])).length, 1)
    })

    for (const [param, type, expected] of params) {
      test(`binds ${JSON.stringify(param)} as ${type}`, async () => {
        assert.deepEqual(await db.query(`select $1::${type} as value`, [param]), [{ value: expected }])
      })
    }

    test('answers a script with the rows of all its statements', async () => {
      assert.deepEqual(await db.script('select 1 as a; select 2 as a where false; select 3 as a'), [{ a: 1 }, { a: 3 }])
    })

    test('keeps the error code, the constraint and the detail of a refused statement', async () => {
      await db.query('insert into item values (1, $1)', ['first'])
      await assert.rejects(db.query('insert into item values (1, $1)', ['again']), {
        code: '23505',
        constraint: 'item_pkey',
        detail: 'Key (id)=(1) already exists.'
      })
    })

    test('a transaction that throws leaves nothing and runs no effect', async () => {
      let effects = 0
      const work = db.transaction(async tx => {
        tx.afterCommit(() => effects++)
        await tx.query(`insert into item values (2, 'never')`)
        throw new RangeError('changed my mind')
      })
      await assert.rejects(work, RangeError)
      assert.deepEqual(await db.query('select from item where id = 2'), [])
      assert.equal(effects, 0)
    })

    test('a transaction whose failed statement was swallowed is refused, and runs no effect', async () => {
      let effects = 0
      const work = db.transaction(async tx => {
        tx.afterCommit(() => effects++)
        await tx.query(`insert into item values (3, 'never')`)
        await tx.query('select 1 / 0').catch(() => {})
      })
      await assert.rejects(work, { code: '22012' })
      assert.deepEqual(await db.query('select from item where id = 3'), [])
      assert.equal(effects, 0)
    })

    test('effects run after the commit, when others can see the change, and before the transaction resolves', async () => {
      const seen: string[] = []
      let readBack: Promise<unknown[]> | undefined
      await db.transaction(async tx => {
        tx.afterCommit(() => {
          readBack = db.query('select id from item where id = 4')
          seen.push('effect')
        })
        await tx.query(`insert into item values (4, 'kept')`)
        seen.push('work')
      })
      seen.push('resolved')
      assert.deepEqual(seen, ['work', 'effect', 'resolved'])
      assert.deepEqual(await readBack, [{ id: 4 }])
    })

    test('statements started together in a transaction run one after the other', async () => {
      const rows = await db.transaction(tx => Promise.all([1, 2, 3].map(n => tx.query('select $1::int as n', [n]))))
      assert.deepEqual(rows, [[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
    })

    test('the outer handle inside a transaction is refused at once', async () => {
      for (const use of [
        () => db.query('select 1'),
        () => db.script('select 1'),
        () => db.transaction(async () => {})
      ]) {
        await assert.rejects(
          db.transaction(async () => void (await use())),
          TypeError
        )
      }
    })

    test('the handle of a transaction that has ended is refused', async () => {
      const tx = await db.transaction(async inner => inner)
      await assert.rejects(tx.query('select 1'), TypeError)
    })

    test('statements asked for during a transaction see all of it or nothing', async () => {
      const started = Promise.withResolvers<void>()
      const holding = db.transaction(async tx => {
        await tx.query(`insert into item values (10, 'a')`)
        await started.promise
        await tx.query(`insert into item values (11, 'b')`)
      })
      const during = db.query('select id from item where id in (10, 11)')
      started.resolve()
      await holding
      assert.ok([0, 2].includes((await during).length))
    })

    test('a statement goes on working after a migration changed the type it answers with', async () => {
      await db.script('create table shape (a int); insert into shape values (1)')
      const read = () => db.query('select * from shape')
      assert.deepEqual(await read(), [{ a: 1 }])
      await db.script('alter table shape add b text')
      assert.deepEqual(await read(), [{ a: 1, b: null }])
    })

    test('a statement goes on working after the prepared statements were dropped', async () => {
      const read = () => db.query('select 41 + 1 as a')
      await read()
      await db.script('deallocate all')
      assert.deepEqual(await read(), [{ a: 42 }])
    })

    test('a notification arrives when its transaction commits, and not when it rolls back', async () => {
      const payloads: string[] = []
      const arrived = Promise.withResolvers<void>()
      const listener = await db.listen(
        'Odd "channel"',
        payload => {
          payloads.push(payload)
          if (payload === 'last') arrived.resolve()
        },
        () => {}
      )
      const notify = `select pg_notify('Odd "channel"', $1)`
      await db.transaction(async tx => void (await tx.query(notify, ['first'])))
      await db
        .transaction(async tx => {
          await tx.query(notify, ['undone'])
          throw new RangeError()
        })
        .catch(() => {})
      await db.query(notify, ['last'])
      await arrived.promise
      assert.deepEqual(payloads, ['first', 'last'])
      assert.equal(listener.isCurrent(), true)
      await listener.close()
    })

    test('what a transaction throws of its own stays as it is, and the connection goes on', async () => {
      const pid = async () => (await db.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]?.pid
      const before = await pid()
      const missingFile = Object.assign(new Error('no such file'), { code: 'ENOENT' })
      for (const own of [missingFile, new UnavailableError('The model does not answer.'), new Error('timeout expired')])
        await assert.rejects(
          db.transaction(async tx => {
            await tx.query('select 1')
            throw own
          }),
          error => error === own
        )
      assert.equal(await pid(), before)
    })

    test('a disk that is full is no room, nothing is saved, and the connection goes on', async () => {
      await db.script(`create table filled (id int);
        create function no_room() returns trigger language plpgsql as
          $$ begin raise exception using errcode = 'disk_full', message = 'could not extend file'; end $$;
        create trigger no_room after insert on filled for each row when (new.id = 2) execute function no_room()`)
      const fill = () =>
        db.transaction(async tx => {
          await tx.query('insert into filled values (1)')
          await tx.query('insert into filled values (2)')
        })
      for (const write of [fill, () => db.query('insert into filled values (2)')])
        await assert.rejects(write, (error: UnavailableError) => {
          assert.deepEqual([error.code, error.cause instanceof Error], ['SERVICE_UNAVAILABLE', true])
          assert.match(error.message, /no room/)
          assert.match(error.detail ?? '', /could not extend file.*make room/)
          return true
        })
      assert.deepEqual(await db.query('select id from filled'), [])
    })

    test('the health figures count the connections', async () => {
      const { size, idle } = db.pool()
      assert.ok(size >= 1 && idle >= 0 && idle <= size)
    })
  })
}
