import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type CraftedEntry, craft, craftedHeader, headerWith } from '../../helpers/crafted-backup.ts'
import { installHome } from '../../helpers/installed-home.ts'
import { createInstallation, type Running } from '../../helpers/program.ts'

// Files from elsewhere beside a running server: whatever they hold, it goes on, and does not grow.
const place = createInstallation()
let server: Running
before(async () => {
  await installHome(place)
  server = place.start(['serve', '--no-worker'])
  await server.says(/galley is ready/)
})
after(() => place.close())

/** The most the server held since the peak was last forgotten, in MB: its own start takes most. */
const peakMb = () =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) / 1024
const forgetPeak = () => writeFileSync(`/proc/${server.child.pid}/clear_refs`, '5')

const rows = 'tables/public.categories/000001.jsonl'
const start: CraftedEntry = ['backup.json', headerWith()]
const mb = 1024 ** 2
/** More than the server may grow by: whoever held one of these would be seen. */
const muchMb = 200
const maxGrowthMb = 150
const much = (fill: string) => Buffer.alloc(muchMb * mb, fill)
/** Four million rows: held as values they take more than ten times their bytes. */
const manyRows = () => Buffer.alloc(20 * mb, '["a"]\n')

const crafted: Readonly<Record<string, [entries: () => CraftedEntry[], says: RegExp]>> = {
  'an extended header of gigabytes': [
    () => [craftedHeader(header => header.write('x', 156), 'x', 7 * 1024 ** 3), much('\0')],
    /extended header of the archive has 7516192768 bytes/
  ],
  'a row of hundreds of megabytes': [() => [start, [rows, much('a')]], /a row has more than 16 MB/],
  'line breaks without end': [() => [start, [rows, much('\n')]], /a row is not a list of 1 texts/],
  'a header of hundreds of megabytes': [() => [['backup.json', much(' ')]], /backup\.json has/],
  'rows without end, all of them sound': [
    () => [start, [rows, manyRows()]],
    /its manifest, which comes last, is missing|a row has no end/
  ]
}

const shownToVerify = 'a row of hundreds of megabytes'

test('what is crafted to fell the server is refused, and the server neither ends nor grows', async () => {
  const file = path.join(place.home, 'crafted.tar.gz')
  // What every command and every refusal needs is there from then on.
  craft(file, [start])
  await place.runHere(['backup', 'verify', file])
  await place.runHere(['backup', 'restore', file, '--force', '--yes'])
  let grownMb = await growthBy(refuseAll)
  // V8 optimizes the database once, whenever it gets to it, which takes more. What a file makes the server hold, it holds again.
  if (grownMb >= maxGrowthMb) grownMb = await growthBy(refuseAll)
  assert.equal(server.child.exitCode, null)
  assert.ok(grownMb < maxGrowthMb, `the server grew by ${Math.round(grownMb)} MB`)

  async function refuseAll() {
    const restore = ['restore', file, '--force', '--yes']
    for (const [what, [entries, says]] of Object.entries(crafted)) {
      craft(file, entries())
      // Both begin with the same reading of the file: one file shows that verify does.
      const commands = what === shownToVerify ? [['verify', file], restore] : [restore]
      for (const argv of commands) {
        const { status, stdout, stderr } = await place.runHere(['backup', ...argv])
        assert.equal(status, 1, what)
        assert.match(stdout + stderr, says, what)
      }
    }
  }
})

/** MB that the server grew by at most. */
async function growthBy(work: () => Promise<void>): Promise<number> {
  forgetPeak()
  const before = peakMb()
  await work()
  return peakMb() - before
}

test('a backup of the server itself is whole, and lies in the list', async () => {
  const created = await place.runHere(['backup', 'create', '--json'])
  assert.equal(created.status, 0, created.stderr)
  const { file } = JSON.parse(created.stdout)
  const { items } = JSON.parse((await place.runHere(['backup', 'list', '--json'])).stdout)
  assert.deepEqual([items.length, items[0].file, items[0].posts, items[0].problem], [1, file, 0, null])
  assert.ok(gunzipSync(readFileSync(file)).length > 0)
  const verified = await place.runHere(['backup', 'verify', file, '--json'])
  assert.equal(verified.status, 0, verified.stdout + verified.stderr)
  const { ok, problems, scratch, secrets, rows: found } = JSON.parse(verified.stdout)
  assert.deepEqual([ok, problems, scratch, found], [true, [], 'embedded', items[0].rows])
  assert.ok(secrets > 0)
  assert.deepEqual(
    readdirSync(place.home).filter(name => name.startsWith('.verify')),
    []
  )
})
