import { Type } from 'typebox'
import { pageOf, pageParameters } from '#core'

const nullableString = Type.Unsafe<string | null>({ type: ['string', 'null'] })

export const EpisodeQuery = Type.Object({ ...pageParameters }, { additionalProperties: false })
export const EpisodePage = pageOf(
  Type.Object({
    post_id: Type.String({ format: 'uuid' }),
    slug: Type.String(),
    title: Type.String(),
    excerpt: nullableString,
    published_at: nullableString,
    podcast_url: nullableString,
    video_url: nullableString
  })
)

export const EpisodeParameter = Type.Object({
  post_id: Type.String({ maxLength: 200, description: 'UUID of the post.' })
})

/** One file of the folder: no dot but the extension's, so no way out of it. SVG is left out, because it can hold scripts. */
export const imageName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,150}\.(png|jpg|jpeg|webp|avif|gif)$/
export const ImageParameter = Type.Object({ filename: Type.String({ minLength: 1, maxLength: 200 }) })
