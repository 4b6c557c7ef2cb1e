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
  const isThere = (file: string) => existsSync(at(file))
  /** The posts of all parts that the manifest names. */
  const posts = () => json('manifest.json').parts.flatMap((part: { path: string }) => json(part.path).posts)
  const isComplete = (slugs: string[]) => isThere('manifest.json') && slugsIn(posts()).join() === slugs.join()
  return {
    at,
    text,
    json,
    posts,
    postFiles: () =>
      readdirSync(at('posts'), { withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(({ name }) => name)
        .sort(),
    slugs: () => slugsIn(json('posts/index.json').items),
    /** Waits for an export of exactly these posts. */
    holds: (...slugs: string[]) => until(() => isComplete(slugs.sort()), `an export of ${slugs}`)
  }
}
