import { setting, Type } from '#core'
import { addressSchema } from '#requests'

/** How covers are made. */
export const coverSettings = {
  media_on_publish: setting(
    Type.String({
      pattern: '^((podcast|video|video_short|image)(,(podcast|video|video_short|image))*)?$',
      maxLength: 100
    }),
    {
      default: '',
      describe:
        'Media made for every published post: podcast (audio), video, video_short, image (a cover), several with commas, or empty for none. With a film comes the podcast.'
    }
  ),
  cover_driver: setting(Type.Enum(['template', 'openai', 'stock']), {
    default: 'template',
    describe:
      'Where covers come from: template (drawn here), openai (any OpenAI-compatible endpoint), stock (pictures in cover_stock_folder).'
  }),
  cover_template: setting(Type.Enum(['plain', 'band', 'frame', 'waves']), {
    default: 'plain',
    describe: 'Look of the covers that are drawn here: plain, band, frame or waves.'
  }),
  cover_fonts: setting(Type.String({ pattern: '^(/.*)?$', maxLength: 1000 }), {
    default: '',
    isMachine: true,
    describe:
      'Folder with further fonts (.ttf, .otf) for covers, for scripts other than Latin, Greek, Cyrillic, Arabic and Hebrew; empty for none.'
  }),
  cover_stock_folder: setting(Type.String({ pattern: '^(/.*)?$', maxLength: 1000 }), {
    default: '',
    isMachine: true,
    describe:
      'Folder of pictures for cover_driver=stock, with a folder for each category (its slug); pictures beside these are for all others.'
  }),
  image_base_url: setting(addressSchema({ maxLength: 500, pattern: '^(https?://.+)?$' }), {
    default: '',
    describe: 'Address of the image endpoint up to /v1, for cover_driver=openai: https://api.openai.com/v1.'
  }),
  image_api_key: setting(Type.String({ maxLength: 500 }), {
    default: '',
    describe: 'API key of the image endpoint; empty when it needs none.',
    isSecret: true,
    sentTo: 'image_base_url'
  }),
  image_model: setting(Type.String({ maxLength: 200 }), {
    default: '',
    describe: 'Model the image endpoint is asked for.'
  }),
  image_size: setting(Type.String({ pattern: '^\\d{2,4}x\\d{2,4}$' }), {
    default: '1536x1024',
    describe: 'Size the image endpoint is asked for. The cover is cut from it.'
  }),
  image_timeout_seconds: setting(Type.Integer({ minimum: 1, maximum: 600 }), {
    default: 120,
    describe: 'Seconds one request to the image endpoint may take.'
  })
}

export type CoverSettings = typeof coverSettings
