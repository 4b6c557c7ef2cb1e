import { setting, Type } from '#core'

export const analyticsSettings = {
  analytics_country_header: setting(Type.String({ pattern: '^([a-z][a-z0-9-]*)?$', maxLength: 60 }), {
    default: '',
    describe:
      'Request header in which your proxy or CDN says the reader’s country as two letters, in lower case, such as cf-ipcountry. Readers are counted by country only where it is set.'
  }),
  analytics_site: setting(Type.Boolean(), {
    default: true,
    describe: 'Whether the pages of the site count their views, by a script, and by an image where none runs.'
  }),
  analytics_retention_days: setting(Type.Integer({ minimum: 31, maximum: 36_500 }), {
    default: 1_095,
    describe: 'Days after which the counts of a day are deleted.'
  })
}
