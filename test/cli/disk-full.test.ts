import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { createInstallation } from '../helpers/program.ts'

// The tests share one home on a small disk, in order.
const place = createInstallation()
const bootstrap = path.join(place.home, 'bootstrap.env')
const target = path.join(path.dirname(place.home), 'target')

function mount(folder: string, size: string): boolean {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const resize = (size: string) => execFileSync('mount', ['-o', `remount,size=${size}`, place.home])

const skip = mount(place.home, '8m') ? false : 'a small disk cannot be mounted here'
if (skip === false) mount(target, '16k')
after(async () => {
  if (skip === false) for (const folder of [place.home, target]) execFileSync('umount', ['-l', folder])
  await place.close()
})

/** Leaves no room on the disk of the home. */
function fill(file: string): void {
  const block = Buffer.alloc(64 * 1024)
  try {
    for (;;) writeFileSync(file, block, { flag: 'a' })
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
  }
}

async function refuse(argv: string[], message: RegExp): Promise<void> {
  const { status, stdout, stderr } = await place.runHere(argv)
  assert.match(stderr, message)
  assert.deepEqual([status, stdout], [1, ''], argv.join(' '))
}

test('a setup that runs out of disk says so, and the next one completes it', { skip }, async () => {
  await refuse(['setup'], /^error: The disk of \S+ is full, and the embedded database in \S+ cannot start: make room/)
  assert.equal(existsSync(bootstrap), false)
  resize('400m')
  const { status, stdout, stderr } = await place.runHere(['setup', '--json'])
  assert.equal(status, 0, stderr)
  assert.ok(JSON.parse(stdout).client_secret)
})

test('on a full disk commands say so and change nothing; with room again all goes on', { skip }, async () => {
  const keys = readFileSync(bootstrap, 'utf8')
  const filler = path.join(place.home, 'filler')
  resize('100m')
  fill(filler)
  for (const argv of [
    ['settings', 'set', 'site_title', 'x'],
    ['settings', 'rotate-key', '--yes'],
    ['backup', 'create']
  ])
    await refuse(argv, /^error: .*is full/)
  const doctor = await place.runHere(['doctor'])
  assert.equal(doctor.status, 2)
  assert.match(doctor.stdout, /CRITICAL +disk: 0 MB are free/)
  assert.match(
    doctor.stdout,
    /CRITICAL +database: The disk of \S+ is full, and .* cannot start\.\n +→ Make room, and try/
  )
  const check = await place.runHere(['setup', '--check'])
  assert.match(
    check.stdout,
    /FAIL +database +The disk of \S+ is full, and .* cannot start\n +→ make room, and try again\n/
  )
  rmSync(filler)
  assert.equal(readFileSync(bootstrap, 'utf8'), keys)
  assert.equal((await place.runHere(['auth', 'mint-token'])).status, 0)
  assert.equal((await place.runHere(['backup', 'create'])).status, 0)
})

test('an export to a full disk names the folder, and leaves nothing half written', { skip }, async () => {
  fill(path.join(target, 'filler'))
  await place.runHere(['settings', 'set', 'export_target', `file://${target}`])
  await refuse(
    ['export', 'rebuild'],
    /^error: The folder \S+target cannot be used \(ENOSPC in \w+\): make room on its disk/
  )
  const files = execFileSync('find', [target, '-type', 'f', '-not', '-name', '.galley-export'], { encoding: 'utf8' })
  assert.equal(files, `${target}/filler\n`)
})
