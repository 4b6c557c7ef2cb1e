import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createPostgres } from '../../../cli/database/postgres/postgres.ts'
import type { Db } from '../../../core/contract/database.ts'
import { openOnServer, testServerUrl } from '../../helpers/database.ts'
import { createInstallation } from '../../helpers/program.ts'

// Databases that a server has, and that cannot be used.
const options = { skip: testServerUrl === undefined }
const place = createInstallation()
let server: Db

before(() => {
  if (testServerUrl !== undefined) server = createPostgres({ url: testServerUrl, max: 1 })
})
after(async () => {
  await place.close()
  await server?.close()
})

for (const encoding of ['LATIN1', 'SQL_ASCII']) {
  test(
    `a database in ${encoding} is refused before any migration, with the statement that makes one`,
    options,
    async () => {
      const name = `galley-test_${randomUUID().replaceAll('-', '')}`
      await server.script(`create database "${name}" encoding '${encoding}' locale 'C' template template0`)
      const url = new URL(testServerUrl ?? '')
      url.pathname = name
      const says = `The database ${name} has the encoding ${encoding}; galley needs UTF8`
      const statement = `create database "${name}_utf8" encoding 'UTF8' locale 'C.UTF-8' template template0`
      const remedy = `create one with "${statement}", and name it in the URL`
      try {
        const setup = await place.runHere(['setup', '--db-url', url.href])
        assert.equal(setup.stderr, `error: ${says}: ${remedy}\n`)
        const check = await place.runHere(['setup', '--check', '--db-url', url.href])
        assert.ok(check.stdout.includes(`FAIL  server      ${says}\n                  → ${remedy}\n`), check.stdout)
        const env = {
          DATABASE_URL: url.href,
          POINDEXTER_SECRET_KEY: Buffer.alloc(32).toString('base64'),
          GALLEY_JWT_SECRET: 'x'.repeat(43)
        }
        const migrate = await place.runHere(['migrate', 'up'], { env })
        assert.equal(migrate.stderr, `error: ${says}: ${remedy}\n`)
        await server.script(statement)
        url.pathname = `${name}_utf8`
        const again = await place.runHere(['setup', '--check', '--db-url', url.href])
        assert.match(again.stdout, /^OK +server /m)
      } finally {
        await server.script(`drop database "${name}" with (force)`)
        await server.script(`drop database if exists "${name}_utf8" with (force)`)
      }
    }
  )
}

test('a migration that fails is named once', options, async () => {
  const { url, db } = await openOnServer(testServerUrl ?? '', { migrated: false })
  try {
    await db.script('create table posts (id int)')
    const { stderr } = await place.runHere(['setup', '--db-url', url])
    assert.match(stderr, /^error: A migration failed, and was undone: (\w+\.sql): statement \d+ (?!.*\.sql).*42P07/m)
  } finally {
    await db.close()
  }
})
