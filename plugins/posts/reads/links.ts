import type { Installation, Settings, SettingsStore } from '#core'
import type { postSettings } from '../settings.ts'

/** What readers get of posts that settings decide: addresses, and the language of a post that has none of its own. */
export interface Links {
  home(): string
  post(slug: string): string
  /** The same, to be stored; null while neither `post_url` nor `public_url` is set: each process listens elsewhere. */
  storedPost(slug: string): string | null
  /** Of a feed, by its path. */
  feed(path: string): string
  previewPage(token: string): string
  /** `extension` is `mp3` or `mp4`. */
  episode(post_id: string, extension: string): string
  siteLanguage(): string
  /** Path of the pages that posts are read at while `post_url` is empty, with {slug} in it. */
  setPage(pattern: string): void
}

export function createLinks(
  installation: Installation,
  settings: Settings<typeof postSettings>,
  store: Pick<SettingsStore, 'value'>
): Links {
  const at = (path: string) => installation.baseUrl() + path
  let page = '/api/posts/{slug}'
  const post = (slug: string) => (settings.get('post_url') || at(page)).replaceAll('{slug}', slug)
  return {
    home: () => at('/'),
    post,
    storedPost: slug => (settings.get('post_url') === '' && store.value('public_url') === '' ? null : post(slug)),
    feed: at,
    previewPage: token => at(`/preview/${token}`),
    episode: (post_id, extension) => at(`/episodes/${post_id}.${extension}`),
    siteLanguage: () => settings.get('site_language'),
    setPage: pattern => {
      page = pattern
    }
  }
}
