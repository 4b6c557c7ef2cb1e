import { hash } from 'node:crypto'
import type { Queryable } from '#core'
import type { Post } from '#plugins/posts'
import type { ExportFile, ExportGroup, ExportSurface, PostDependencies, PostFiles, PublicLists } from './index.ts'

/** A slug is checked where it becomes a file name, whatever the database or a manifest contains. */
const safeSlug = /^(?!index$)[a-z0-9]+(?:-[a-z0-9]+)*$/
export const isSafeSlug = (slug: string): boolean => slug.length <= 200 && safeSlug.test(slug)

/** Whether a path is a post's: `posts/{slug}.json`, or below `posts/{slug}/`. No other file is ever removed as one. */
export const isPathOfPost = (path: string, slug: string): boolean =>
  isSafeSlug(slug) && (path === `posts/${slug}.json` || (path.startsWith(`posts/${slug}/`) && !path.includes('..')))

/** The slug in the path of a post's file; null for another path. */
export function slugIn(path: string): string | null {
  const slug = /^posts\/([a-z0-9-]+)[./]/.exec(path)?.[1] ?? ''
  return isPathOfPost(path, slug) ? slug : null
}

/** The surfaces of all plugins. */
export interface Surfaces {
  add(surface: ExportSurface): void
  all(): readonly ExportSurface[]
  /** Changes with what all files depend on besides the posts. */
  origin(): Promise<string>
  pathsOf(slug: string): string[]
  /** The files of each of these posts, in their order. */
  filesOf(db: Queryable, posts: readonly Post[], lists: PublicLists): Promise<PostFiles[]>
  /** Whether a file at the path of a post or of a group was written by an export. */
  isOwn(path: string, text: string): boolean
  /** The same for a path that a killed run claimed: true also where its surface cannot say. */
  isClaimedOwn(path: string, text: string): boolean
  /** The names of the surfaces whose files of posts show other posts now. */
  withDependencies(): string[]
  /** What the files of these posts show of other posts, by number; those that show none are left out. */
  dependencies(db: Queryable, post_nos: readonly number[]): Promise<Map<number, PostDependencies>>
  /** The numbers of the posts that are to show one of these. */
  dependents(db: Queryable, post_nos: readonly number[]): Promise<number[]>
  groupSets(db: Queryable, lists: PublicLists): Promise<OwnedGroup[]>
  /** The groups of each of these sets. */
  groupsOf(db: Queryable, lists: PublicLists, sets: readonly OwnedGroup[]): Promise<Map<OwnedGroup, OwnedGroup[]>>
  /** The files of each of these groups. */
  filesOfGroups(db: Queryable, groups: readonly OwnedGroup[]): Promise<Map<OwnedGroup, readonly ExportFile[]>>
  isPathOfGroup(path: string): boolean
}

/** A group of files of a surface, or a set of groups. Its name begins with that of the surface. */
export interface OwnedGroup extends ExportGroup {
  readonly owner: string
  /** As the surface has it. */
  readonly ownName: string
}

export function createSurfaces(): Surfaces {
  const surfaces = new Map<string, ExportSurface>()
  const all = () => [...surfaces.values()]
  const pathsOf = (slug: string) => all().flatMap(surface => surface.postPaths(slug))
  const isPathOfGroup = (path: string) =>
    !path.includes('..') && all().some(({ groups }) => groups?.folders.some(folder => path.startsWith(folder)))
  return {
    all,
    pathsOf,
    isPathOfGroup,
    add(surface) {
      if (surfaces.has(surface.name)) throw new TypeError(`The export has a surface ${surface.name} already.`)
      surfaces.set(surface.name, surface)
    },
    async origin() {
      return hashOf(JSON.stringify(await Promise.all(all().map(async surface => [surface.name, await surface.key()]))))
    },
    isOwn: (path, text) => all().some(surface => surface.isOwn?.(path, text)),
    isClaimedOwn: (path, text) => surfaceOf(all(), path)?.isOwn?.(path, text) ?? true,
    async filesOf(db, posts, lists) {
      const ofSurfaces = await Promise.all(all().map(surface => surface.postFiles(db, posts, lists)))
      return posts.map(({ slug }, at) => {
        const found = ofSurfaces.flatMap(ofPosts => ofPosts[at] ?? [])
        const files = found.flatMap(each => each.files)
        requireOwnPaths(slug, files, pathsOf(slug))
        const dependencies = joined(found.map(each => each.dependencies))
        return dependencies === undefined ? { files } : { files, dependencies }
      })
    },
    withDependencies: () => all().flatMap(surface => (surface.dependencies?.() ? [surface.name] : [])),
    async dependencies(db, post_nos) {
      const found = await Promise.all(all().map(surface => surface.dependencies?.()?.of(db, post_nos)))
      const shown = (post_no: number) => found.flatMap(ofSurface => ofSurface?.get(post_no) ?? [])
      return new Map(post_nos.flatMap(post_no => oneOf(post_no, shown(post_no))))
    },
    async dependents(db, post_nos) {
      return (await Promise.all(all().map(surface => surface.dependencies?.()?.dependents(db, post_nos) ?? []))).flat()
    },
    async groupSets(db, lists) {
      const sets = all().map(async ({ name, groups }) => ownedBy(name, (await groups?.sets(db, lists)) ?? []))
      return (await Promise.all(sets)).flat()
    },
    groupsOf: (db, lists, sets) =>
      eachOfOwner(sets, async (owner, names) => {
        const groups = (await surfaces.get(owner)?.groups?.groups(db, lists, names)) ?? []
        return names.map((_, at) => ownedBy(owner, groups[at] ?? []))
      }),
    filesOfGroups: (db, groups) =>
      eachOfOwner(groups, async (owner, names) => {
        const files = (await surfaces.get(owner)?.groups?.files(db, names)) ?? []
        return names.map((name, at) => requireGroupPaths(name, files[at] ?? [], isPathOfGroup))
      })
  }
}

/** The surface that has files of posts or of groups at such a path. */
function surfaceOf(surfaces: readonly ExportSurface[], path: string): ExportSurface | undefined {
  const slug = slugIn(path)
  return surfaces.find(
    ({ groups, postPaths }) =>
      groups?.folders.some(folder => path.startsWith(folder)) || (slug !== null && postPaths(slug).includes(path))
  )
}

function requireOwnPaths(slug: string, files: readonly ExportFile[], paths: readonly string[]): void {
  const wrong = files.find(({ path }) => !paths.includes(path) || !isPathOfPost(path, slug))
  if (wrong === undefined) return
  throw new TypeError(
    `A surface of the export has ${wrong.path} for the post ${slug}: its files are posts/${slug}.json and below posts/${slug}/, and postPaths names them.`
  )
}

const ownedBy = (owner: string, groups: readonly ExportGroup[]): OwnedGroup[] =>
  groups.map(({ name, fingerprint }) => ({ name: `${owner}:${name}`, fingerprint, owner, ownName: name }))

/** Asks each surface about its groups, by their names. @returns the answers by group */
async function eachOfOwner<T>(
  groups: readonly OwnedGroup[],
  ask: (owner: string, names: readonly string[]) => Promise<readonly T[]>
): Promise<Map<OwnedGroup, T>> {
  const found = new Map<OwnedGroup, T>()
  for (const [owner, owned] of Map.groupBy(groups, each => each.owner)) {
    const answers = await ask(
      owner,
      owned.map(({ ownName }) => ownName)
    )
    for (const [at, answer] of answers.entries()) if (owned[at] !== undefined) found.set(owned[at], answer)
  }
  return found
}

function requireGroupPaths(
  name: string,
  files: readonly ExportFile[],
  isPathOfGroup: Surfaces['isPathOfGroup']
): readonly ExportFile[] {
  const wrong = files.find(({ path }) => !isPathOfGroup(path))
  if (wrong === undefined) return files
  throw new TypeError(`The group ${name} of the export has ${wrong.path}, which is in none of its folders.`)
}

/** The dependencies of a post, of all surfaces; empty where they show no other. */
function oneOf(post_no: number, shown: readonly PostDependencies[]): [number, PostDependencies][] {
  const text = joined(shown.map(each => each.text))
  return text === undefined ? [] : [[post_no, { text, post_nos: shown.flatMap(each => each.post_nos) }]]
}

/** The texts of all surfaces as one; undefined where there is none. */
function joined(texts: readonly (string | undefined)[]): string | undefined {
  const found = texts.filter(text => text !== undefined)
  return found.length === 0 ? undefined : found.join(' ')
}

export const hashOf = (content: string | Uint8Array): string => hash('sha256', content)
