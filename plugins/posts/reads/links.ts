import { createHash } from 'node:crypto'
import type { Installation, Settings, SettingsStore } from '#core'
import type { postSettings } from '../settings.ts'
import { createFormerPictures, formerAddresses } from './picture-addresses.ts'

/** Paths of pages with {slug} in them, such as `/posts/{slug}`. */
export interface PagePatterns {
  post: string
  category: string
  tag: string
}

/** A list of posts: those of a category or of a tag, by its slug; without either all. */
interface ListScope {
  category?: string
  tag?: string
}

/** What readers get of posts that settings decide: addresses, and the language of a post that has none of its own. */
export interface Links {
  /** The address of the service, without a trailing slash. */
  base(): string
  home(): string
  post(slug: string): string
  /** The same, to be stored; null while neither `post_url` nor `public_url` is set: each process listens elsewhere. */
  storedPost(slug: string): string | null
  /** Of a feed, by its path. */
  feed(path: string): string
  /** The page that lists what a feed has; the home page where this service has no such pages. */
  listPage(scope: ListScope): string
  previewPage(token: string): string
  /** `extension` is `mp3` or `mp4`. */
  episode(post_id: string, extension: string): string
  siteLanguage(): string
  /** A text, or an address, with the pictures that galley stores at its present address: posts name them by that of their time. */
  withPictures(text: string): string
  /** Changes with the settings that decide how a post reads. */
  settingsTag(): string
  /** Those that `former_public_urls` lists. */
  formerAddresses(): readonly string[]
  /** Where pages are while `post_url` is empty. */
  setPages(patterns: PagePatterns): void
}

export function createLinks(
  installation: Installation,
  settings: Settings<typeof postSettings>,
  store: Pick<SettingsStore, 'value'>
): Links {
  const at = (path: string) => installation.baseUrl() + path
  const tagOf = createTags()
  const formerPictures = createFormerPictures(() => settings.get('former_public_urls'))
  let pages: PagePatterns | undefined
  const post = (slug: string) =>
    (settings.get('post_url') || at(pages?.post ?? '/api/posts/{slug}')).replaceAll('{slug}', slug)
  const listPattern = ({ category, tag }: ListScope) => {
    if (category !== undefined) return pages?.category
    return tag === undefined ? undefined : pages?.tag
  }
  return {
    base: installation.baseUrl,
    home: () => at('/'),
    post,
    storedPost: slug => (settings.get('post_url') === '' && store.value('public_url') === '' ? null : post(slug)),
    feed: at,
    listPage: scope => {
      const pattern = settings.get('post_url') === '' ? listPattern(scope) : undefined
      return at(pattern?.replaceAll('{slug}', scope.category ?? scope.tag ?? '') ?? '/')
    },
    previewPage: token => at(`/preview/${token}`),
    episode: (post_id, extension) => at(`/episodes/${post_id}.${extension}`),
    siteLanguage: () => settings.get('site_language'),
    withPictures: text =>
      text.includes('/images/generated/') ? text.replace(formerPictures(), () => installation.baseUrl()) : text,
    settingsTag: () =>
      tagOf([installation.baseUrl(), settings.get('site_language'), settings.get('former_public_urls')]),
    formerAddresses: () => formerAddresses(settings.get('former_public_urls')),
    setPages: patterns => {
      pages = patterns
    }
  }
}

/** Hashed once: settings change seldom. */
function createTags(): (values: readonly string[]) => string {
  let last = { text: '', tag: '' }
  return values => {
    const text = JSON.stringify(values)
    if (text !== last.text) last = { text, tag: createHash('sha256').update(text).digest('base64url').slice(0, 8) }
    return last.tag
  }
}
