import { Type } from '#core'
import { pageOf, pageParameters } from '#lists'

const nullableString = (example: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], examples: [example] })

export const EpisodeQuery = Type.Object({ ...pageParameters }, { additionalProperties: false })
export const EpisodePage = pageOf(
  Type.Object(
    {
      post_id: Type.String({ format: 'uuid' }),
      slug: Type.String({ examples: ['how-tides-follow-the-moon'] }),
      title: Type.String({ examples: ['How tides follow the moon'] }),
      excerpt: nullableString('Twice a day the sea rises.'),
      published_at: nullableString('2026-11-21T10:00:00.000Z'),
      podcast_url: nullableString('https://example.org/episodes/3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d.mp3'),
      video_url: nullableString('https://example.org/episodes/3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d.mp4')
    },
    { title: 'Episode' }
  )
)

export const EpisodeParameter = Type.Object({
  post_id: Type.String({
    maxLength: 200,
    description: 'UUID of the post.',
    examples: ['3f2a9c1b-5d0e-4b8a-9c55-0e6f1a2b3c4d']
  })
})

/** A file name with one dot only, so that no path leaves the folder. SVG is excluded, because it can contain scripts. */
export const imageName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,150}\.(png|jpg|jpeg|webp|avif|gif)$/
export const ImageParameter = Type.Object({
  filename: Type.String({ minLength: 1, maxLength: 200, examples: ['cover-3f2a9c1b.png'] })
})
