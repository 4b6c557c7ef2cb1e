import type { Settings } from '#core'
import type { Payments } from '#plugins/costs'
import type { Post } from '#plugins/posts'
import type { CoverDesign } from '../drawing/cover-design.ts'
import type { StoredImage } from '../images/images.ts'
import type { PictureProcess } from '../picture-process/picture-process.ts'
import { findCover, listCovered } from '../repository/covers.ts'
import { createOpenAiDriver } from './openai-driver.ts'
import type { CoverSettings } from './settings.ts'
import { type CoverDriver, type CoverPlan, type CoverPost, type SettingsFault, sourceHash } from './source.ts'
import { createStockDriver } from './stock-driver.ts'
import { type CoverStoreDeps, isAddressOf, makeCover, removeCover } from './store-cover.ts'
import { coverDesign, createTemplateDriver } from './template-driver.ts'

/** The covers of posts and of the podcast. */
export interface Covers {
  /**
   * Makes the cover of a public post, unless it is there already, and gives it to a post without a picture of its own.
   * Null for a post that is not public. @throws UnavailableError when the driver cannot make one, PictureError for what it
   * brings
   */
  make(post_id: string, signal: AbortSignal): Promise<StoredImage | null>
  /**
   * The same for the jobs: only where it is wanted. What a post that is not public had is removed.
   * @returns whether the post has its cover by then
   */
  update(post_id: string, signal: AbortSignal): Promise<boolean>
  /** Removes what those of the posts had that are not public, at once: a job may wait for an endpoint that draws others. */
  removeWithdrawn(post_ids: readonly string[]): Promise<void>
  /** Those of the posts whose cover may have to change with them. */
  listAffected(post_ids: readonly string[]): Promise<readonly string[]>
  /** The square cover of the podcast, 3000 × 3000, as directories want it. */
  planPodcastCover(podcast: { title: string; category: string; language: string }): CoverPlan
  /** How a cover of the post is drawn here: the cards of its films are drawn like it, whatever its picture is. */
  designOf(post: Post): Promise<CoverDesign>
  /** Whether the post has a cover that somebody removed from the store. */
  isLost(post_id: string): Promise<boolean>
  /** Whether a picture is the cover that is drawn here of this post as it is now. */
  isDrawn(post: Post, filename: string): Promise<boolean>
  /** What that depends on beside the text. */
  designKey(post: Post): readonly string[]
  /** Whether `media_on_publish` asks for covers. */
  isOn(): boolean
  /** Why none can be made, as far as settings and a try that costs nothing tell. */
  findFault(signal: AbortSignal): Promise<SettingsFault | null>
}

export interface CoverDeps extends CoverStoreDeps {
  pictures: PictureProcess
  settings: Pick<Settings<CoverSettings>, 'get' | 'secretFor'>
  now: () => Date
  costs?: Payments | undefined
}

export function createCovers(deps: CoverDeps): Covers {
  const { db, published, pictures, settings, images } = deps
  const template = createTemplateDriver(deps)
  const drivers: Record<string, CoverDriver> = {
    template,
    openai: createOpenAiDriver(deps),
    stock: createStockDriver(deps)
  }
  const driver = (): CoverDriver => {
    const chosen = drivers[settings.get('cover_driver')]
    if (chosen === undefined) throw new TypeError(`There is no cover driver ${settings.get('cover_driver')}.`)
    return chosen
  }
  const publicPost = async (post_id: string) => (await published.texts(db, [post_id]))[0]?.post
  const makeFor = async (post: Post, signal: AbortSignal) =>
    makeCover(deps, post.post_id, await driver().plan(await coverPost(deps, post)), signal)
  return {
    designOf: async post => coverDesign(deps, await coverPost(deps, post)),
    isLost: async post_id => {
      const cover = await findCover(db, post_id)
      return cover?.is_stored === true && !(await images.isStored(cover.filename))
    },
    isDrawn: async (post, filename) => {
      const cover = await findCover(db, post.post_id)
      if (cover?.filename !== filename) return false
      return cover.source_hash === sourceHash(await template.plan(await coverPost(deps, post)))
    },
    designKey: ({ category }) => [
      settings.get('cover_template'),
      settings.get('cover_fonts'),
      published.site().title,
      category ?? ''
    ],
    isOn: () => isOn(settings),
    findFault: async signal => driver().settingsFault() ?? (await driver().findFault?.(signal)) ?? null,
    make: async (post_id, signal) => {
      const post = await publicPost(post_id)
      return post === undefined ? null : makeFor(post, signal)
    },
    update: async (post_id, signal) => {
      const post = await publicPost(post_id)
      if (post === undefined) await removeCover(deps, post_id)
      return post !== undefined && (await isWanted(deps, post)) && (await makeFor(post, signal)) !== null
    },
    removeWithdrawn: async post_ids => {
      for (const post_id of await listCovered(db, post_ids)) await removeCover(deps, post_id)
    },
    listAffected: async post_ids => (isOn(settings) ? post_ids : listCovered(db, post_ids)),
    planPodcastCover: ({ title, category, language }) => {
      const template = settings.get('cover_template')
      const fontFolder = settings.get('cover_fonts')
      const design = { title, category, language, format: 'podcast' as const, template, fontFolder, site: '' }
      return { from: design, make: signal => pictures.make({ name: 'drawCover', input: design }, signal) }
    }
  }
}

const isOn = (settings: CoverDeps['settings']): boolean => settings.get('media_on_publish').split(',').includes('image')

/** Wanted for every post, or made before: then it follows the title, and returns with a post that was withdrawn. */
async function isWanted({ db, settings }: CoverDeps, post: Post): Promise<boolean> {
  const cover = await findCover(db, post.post_id)
  const isOwn = cover !== undefined && isAddressOf(post.featured_image_url ?? '', cover.filename)
  return isOwn || (post.featured_image_url === null && (isOn(settings) || cover?.is_taken_back === true))
}

async function coverPost({ db, published }: CoverDeps, post: Post): Promise<CoverPost> {
  const slug = post.category
  const category = slug === null ? undefined : (await published.categories(db)).find(each => each.slug === slug)
  return { ...post, category: slug === null ? null : { slug, name: category?.name ?? slug.replaceAll('-', ' ') } }
}
