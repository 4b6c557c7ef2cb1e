import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { TestService } from '../../helpers/service.ts'
import { until } from '../../helpers/until.ts'

/** The export of a service, as its folder has it. */
export function exportOf({ home }: Pick<TestService, 'home'>, folder = 'export') {
  const at = (file: string) => path.join(home, folder, file)
  const text = (file: string) => readFileSync(at(file), 'utf8')
  const json = (file: string) => JSON.parse(text(file))
  const slugsIn = (items: { slug: string }[]) => items.map(({ slug }) => slug).sort()
  const isComplete = (slugs: string[]) =>
    existsSync(at('manifest.json')) && slugsIn(json('manifest.json').posts).join() === slugs.join()
  return {
    at,
    text,
    json,
    postFiles: () => readdirSync(at('posts')).sort(),
    slugs: () => slugsIn(json('posts/index.json').items),
    /** Waits for an export of exactly these posts. */
    holds: (...slugs: string[]) => until(() => isComplete(slugs.sort()), `an export of ${slugs}`)
  }
}
