import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { packageRoot } from '../../core/paths.ts'
import { describeService } from './service-description.ts'
import { missingFrom, surfaceOf } from './surface.ts'

/** `npm run api:release`: takes what is new into the released surface. What is gone stays there, and fails, unless `--breaking` is given. */
const file = path.join(packageRoot, 'docs', 'released-api.txt')
const released = readFileSync(file, 'utf8').split('\n').filter(Boolean)
const present = surfaceOf(await describeService({}, packageRoot))
const gone = missingFrom(present, released)

if (gone.length > 0 && !process.argv.includes('--breaking')) {
  process.stderr.write(
    `Released, and gone:\n${gone.join('\n')}\nBring it back, or give --breaking to release without it.\n`
  )
  process.exitCode = 1
} else {
  await writeFile(file, `${present.join('\n')}\n`)
  process.stdout.write(`${missingFrom(released, present).length} new, ${gone.length} gone\n`)
}
