import { setting, Type } from '#core'
import { addressSchema } from '#requests'

/** A BCP 47 language tag, such as `en` or `pt-BR`. */
export const languageTag = { pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35 }

export const postSettings = {
  create_post_dedup_threshold: setting(Type.Number({ minimum: 0, maximum: 1 }), {
    default: 0.75,
    describe: 'Cosine similarity to a published title, 0–1, at which `posts create` refuses a title.'
  }),
  cli_post_create_idempotency_enabled: setting(Type.Boolean(), {
    default: true,
    describe: 'Whether `posts create` answers the existing post for the same body by the same operator.'
  }),
  cli_post_create_idempotency_window_minutes: setting(Type.Integer({ minimum: 1, maximum: 10_080 }), {
    default: 30,
    describe: 'How long `posts create` remembers a body, in minutes.'
  }),
  default_media_to_generate: setting(
    Type.String({ pattern: '^((podcast|video|video_short)(,(podcast|video|video_short))*)?$' }),
    {
      default: '',
      describe: 'Media made for hand-made posts that name none: a comma list of podcast, video, video_short.'
    }
  ),
  niche_gated_publishing: setting(Type.Boolean(), {
    default: false,
    describe:
      'Whether a post without a niche_slug is passed over by the publisher, by batch scheduling and by publishing without a human; a person publishes one with --force.'
  }),
  site_title: setting(
    Type.Refine(
      Type.String({ minLength: 1, maxLength: 200 }),
      text => /\S/.test(text) && !/[\t\r\n]/.test(text),
      () => 'must be one line, and not blank'
    ),
    { default: 'galley', describe: 'Name of the publication, in feeds.' }
  ),
  site_description: setting(Type.String({ maxLength: 1000 }), {
    default: '',
    describe: 'What the publication is about, in feeds.'
  }),
  site_language: setting(Type.String(languageTag), {
    default: 'en',
    describe: 'Language tag (BCP 47) of the publication, in feeds, and of every post without one of its own.'
  }),
  post_url: setting(addressSchema({ pattern: '^(https?://[^\\s]+\\{slug\\}[^\\s]*)?$', maxLength: 500 }), {
    default: '',
    describe:
      'Address of a post on the website, such as https://example.org/{slug}; empty: its page of the plugin site, or its address in this API where that plugin is left out.'
  }),
  former_public_urls: setting(
    Type.String({ pattern: '^(https?://[^\\s,]+(, *https?://[^\\s,]+)*)?$', maxLength: 2000 }),
    {
      default: '',
      describe:
        'Addresses that public_url had before, a comma list such as https://old.example: readers get the pictures that posts name there at the present one. Those at 127.0.0.1 and localhost are known without it.'
    }
  ),
  feed_items: setting(Type.Integer({ minimum: 1, maximum: 200 }), {
    default: 20,
    describe: 'Newest posts in each feed, as far as their texts have 5 MB of HTML together.'
  }),
  feed_content: setting(Type.Union([Type.Literal('full'), Type.Literal('excerpt')]), {
    default: 'full',
    describe: 'What feeds show of a post: its whole text, or its excerpt.'
  })
}
