import type { Installation, Settings, SettingsStore } from '#core'
import type { FeedScope } from '../feeds/addresses.ts'
import type { PagePatterns } from '../published-posts.ts'
import type { postSettings } from '../settings.ts'

/** What readers get of posts that settings decide: addresses, and the language of a post that has none of its own. */
export interface Links {
  home(): string
  post(slug: string): string
  /** The same, to be stored; null while neither `post_url` nor `public_url` is set: each process listens elsewhere. */
  storedPost(slug: string): string | null
  /** Of a feed, by its path. */
  feed(path: string): string
  /** The page that lists what a feed has; the home page where this service has no such pages. */
  listPage(scope: FeedScope): string
  previewPage(token: string): string
  /** `extension` is `mp3` or `mp4`. */
  episode(post_id: string, extension: string): string
  siteLanguage(): string
  /** Where pages are while `post_url` is empty. */
  setPages(patterns: PagePatterns): void
}

export function createLinks(
  installation: Installation,
  settings: Settings<typeof postSettings>,
  store: Pick<SettingsStore, 'value'>
): Links {
  const at = (path: string) => installation.baseUrl() + path
  let pages: PagePatterns | undefined
  const post = (slug: string) =>
    (settings.get('post_url') || at(pages?.post ?? '/api/posts/{slug}')).replaceAll('{slug}', slug)
  const listPattern = ({ category, tag }: FeedScope) => {
    if (category !== undefined) return pages?.category
    return tag === undefined ? undefined : pages?.tag
  }
  return {
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
    setPages: patterns => {
      pages = patterns
    }
  }
}
