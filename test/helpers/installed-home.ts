import assert from 'node:assert/strict'
import { chmodSync, cpSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { exclusively } from '../suite/exclusively.ts'
import { cacheFolder } from '../suite/temporary-folder.ts'
import { sourcesFingerprint } from './package.ts'
import { createInstallation, type Installation } from './program.ts'

/** Puts the home that `galley setup` makes with the embedded database in its place: it is made once for the same sources, and copied. */
export async function installHome({ home }: Pick<Installation, 'home'>): Promise<void> {
  const name = `home-${sourcesFingerprint()}`
  const made = path.join(cacheFolder(), name)
  if (!existsSync(made)) await exclusively(name, async () => void (existsSync(made) || (await makeHome(made))))
  cpSync(made, home, { recursive: true })
  // The modes of folders are not copied.
  chmodSync(home, 0o700)
}

async function makeHome(target: string): Promise<void> {
  removeOld(path.dirname(target))
  const place = createInstallation()
  try {
    const { status, stderr } = await place.run(['setup'])
    assert.equal(status, 0, stderr)
    cpSync(place.home, `${target}.part`, { recursive: true })
    renameSync(`${target}.part`, target)
  } finally {
    await place.close()
  }
}

/** Of sources that nobody tests any more: each is 19 MB. */
function removeOld(folder: string): void {
  const maxAgeMs = 3 * 3_600_000
  for (const name of readdirSync(folder).filter(each => each.startsWith('home-') && !each.endsWith('.lock'))) {
    const { mtimeMs } = statSync(path.join(folder, name))
    if (Date.now() - mtimeMs > maxAgeMs) rmSync(path.join(folder, name), { recursive: true, force: true })
  }
}
