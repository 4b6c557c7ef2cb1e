import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { contentsOf } from '../../helpers/backup.ts'
import { testServerUrl } from '../../helpers/database.ts'
import { createInstallation } from '../../helpers/installation.ts'

// Migrations that put rows into what they make: the rows an installation has when it is saved are other ones.
const plugins = mkdtempSync(path.join(tmpdir(), 'galley-seeds-'))
const migrations = path.join(plugins, 'seeds', 'migrations')
mkdirSync(migrations, { recursive: true })
writeFileSync(path.join(plugins, 'plugins.config.json'), '{ "plugins": ["./plugins/auth", "./seeds"] }')
writeFileSync(
  path.join(plugins, 'seeds', 'plugin.js'),
  `export default {
    name: 'seeds', contract: 1, describe: 'A plugin whose tables begin with rows',
    migrations: new URL('./migrations/', import.meta.url), setup: () => ({ services: {} })
  }`
)
writeFileSync(
  path.join(migrations, '20260101_000000_seeds.sql'),
  `--! up
create table "Colours" (id int generated always as identity primary key, name text not null);
create table paints (colour int not null references "Colours" (id), litres int);
create table words (word text);
insert into "Colours" (name) values ('red'), ('green'), ('blue');
insert into paints values (1, 10), (2, 20);
insert into words values ('one'), ('two'), ('two');
`
)

const installation = await createInstallation({
  migrated: false,
  env: { GALLEY_PLUGINS: path.join(plugins, 'plugins.config.json') }
})
after(async () => {
  await installation.close()
  rmSync(plugins, { recursive: true })
})
const file = path.join(installation.home, 'seeds.tar.gz')

async function run(...argv: string[]): Promise<string> {
  const { status, out, err } = await installation.run(argv)
  assert.equal(status, 0, out + err)
  return out
}

test('rows that migrations insert are those of the backup once restored, and later migrations add theirs', async () => {
  await run('migrate', 'up')
  const db = await installation.db()
  await db.script(`
    delete from paints where colour = 2;
    delete from "Colours" where name = 'green';
    update "Colours" set name = 'navy' where name = 'blue';
    insert into "Colours" (name) values ('white');
    delete from words where word = 'one'`)
  const saved = await contentsOf(db)
  await run('backup', 'create', '--file', file)
  // On an embedded database a restore begins with what verify does.
  if (testServerUrl !== undefined) await run('backup', 'verify', file)
  await db.query(`insert into words values ('late')`)
  writeFileSync(
    path.join(migrations, '20260102_000000_more.sql'),
    `--! up\ninsert into words values ('three');\ncreate table extras as select 1 as id;\n`
  )

  await run('backup', 'restore', file, '--force', '--yes')
  const { schema_migrations: applied = [], ...restored } = await contentsOf(db)
  const { schema_migrations: appliedBefore = [], ...rows } = saved
  assert.deepEqual(restored, { ...rows, words: ['(three)', '(two)', '(two)'], extras: ['(1)'] })
  assert.deepEqual(
    applied.filter(row => !row.includes('20260102_000000_more.sql')),
    appliedBefore
  )
  assert.equal(applied.length, appliedBefore.length + 1)
  assert.deepEqual(await db.query(`insert into "Colours" (name) values ('black') returning id`), [{ id: 5 }])
})
