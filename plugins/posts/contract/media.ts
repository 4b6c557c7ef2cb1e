/** What became of the media that were asked for last: they wait or are being made, are there, or could not be made. */
export type MediaState = 'pending' | 'done' | 'failed'

/** What a post offers beside its text. */
export interface PostMedia {
  /** The kinds readers are offered: podcast, video, video_short. */
  media: readonly string[]
  /** Null where none were asked for. */
  state: MediaState | null
  /** Why they could not be made; while they are tried again, why the last try failed. Else null. */
  error: string | null
}

/** What a post offers from now on. Without a state, what became of the media that were asked for stays as it is. */
export type MediaChange = Pick<PostMedia, 'media'> & Partial<Pick<PostMedia, 'state' | 'error'>>
