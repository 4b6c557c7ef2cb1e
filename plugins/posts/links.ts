import type { Installation, Settings } from '#core'
import type { postSettings } from './settings.ts'

/** Addresses of posts, as readers get them. */
export interface Links {
  home(): string
  post(slug: string): string
  feed(): string
  previewPage(token: string): string
  /** `extension` is `mp3` or `mp4`. */
  episode(post_id: string, extension: string): string
}

export function createLinks(installation: Installation, settings: Settings<typeof postSettings>): Links {
  const at = (path: string) => installation.baseUrl() + path
  return {
    home: () => at('/'),
    post: slug => {
      const pattern = settings.get('post_url')
      return pattern === '' ? at(`/api/posts/${slug}`) : pattern.replaceAll('{slug}', slug)
    },
    feed: () => at('/feed.xml'),
    previewPage: token => at(`/preview/${token}`),
    episode: (post_id, extension) => at(`/episodes/${post_id}.${extension}`)
  }
}
