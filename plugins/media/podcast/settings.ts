import { setting, Type } from '#core'
import { addressSchema } from '#requests'
import { podcastCategories } from './categories.ts'

/** Blanks alone would be an empty element in the feed. */
const text = (maxLength: number, minLength = 0) =>
  Type.Refine(
    Type.String({ minLength, maxLength }),
    value => value === '' || /\S/.test(value),
    () => 'must not be blank'
  )
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const url = addressSchema({ pattern: '^(https?://[^\\s]+)?$', maxLength: 500 })

/** What `/podcast.xml` says of the podcast. */
export const podcastSettings = {
  podcast_title: setting(text(200), { default: '', describe: 'Name of the podcast; empty: site_title.' }),
  podcast_description: setting(text(4000), {
    default: '',
    describe: 'What the podcast is about; empty: site_description.'
  }),
  podcast_author: setting(text(200), {
    default: '',
    describe: 'Who makes the podcast, as directories show it; empty: the name of the podcast.'
  }),
  podcast_host: setting(text(128), {
    default: '',
    describe: 'Who speaks in the podcast, as apps show it (podcast:person); empty: nobody is named.'
  }),
  podcast_owner_name: setting(text(200), {
    default: '',
    describe: 'Who answers for the feed; empty: the author. Shown only with podcast_owner_email.'
  }),
  podcast_owner_email: setting(Type.String({ pattern: '^([^\\s@<>"]+@[^\\s@<>"]+\\.[^\\s@<>"]+)?$', maxLength: 254 }), {
    default: '',
    describe: 'Where a directory sends its proof of ownership. Public in the feed while it is set.'
  }),
  podcast_category: setting(Type.Enum(['', ...podcastCategories]), {
    default: '',
    describe: 'Category of the directories, such as "Technology" or "Society & Culture > Documentary".'
  }),
  podcast_language: setting(Type.String({ pattern: '^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$', maxLength: 35 }), {
    default: '',
    describe: 'Language tag of the podcast (BCP 47); empty: site_language.'
  }),
  podcast_explicit: setting(Type.Boolean(), {
    default: false,
    describe: 'Whether directories are told that the podcast has strong language or adult content.'
  }),
  podcast_image_url: setting(url, {
    default: '',
    describe:
      'Cover of the podcast, as http(s)://…: a square JPEG or PNG of 1400 to 3000 pixels, RGB; directories refuse any other. Empty: one is drawn.'
  }),
  podcast_copyright: setting(text(255), {
    default: '',
    describe: 'Who has the copyright of the podcast: a name such as Jane Doe, without the word, the sign and a year.'
  }),
  podcast_guid: setting(Type.String({ pattern: `^(${uuid})?$`, maxLength: 36 }), {
    default: '',
    describe:
      'GUID of a podcast that had another address before: copy podcast:guid from its former feed. Empty: it is derived from the address.'
  }),
  podcast_funding_url: setting(url, {
    default: '',
    describe: 'Page where listeners can support the podcast, as http(s)://…; empty: the feed has no podcast:funding.'
  }),
  podcast_funding_text: setting(text(128, 1), {
    default: 'Support the podcast',
    describe: 'What the link to podcast_funding_url says.'
  }),
  podcast_txt: setting(text(4000), {
    default: '',
    describe: 'A text that a service asks for to verify that the podcast is yours; empty: none.'
  }),
  podcast_license: setting(Type.String({ pattern: '^([a-z0-9][a-z0-9.+-]*)?$', maxLength: 100 }), {
    default: '',
    describe: 'Licence of the episodes as an SPDX identifier in lower case, such as cc-by-4.0.'
  }),
  podcast_locked: setting(Type.Boolean(), {
    default: true,
    describe: 'Whether other hosts are told not to take the podcast over without its owner.'
  }),
  podcast_value_address: setting(Type.String({ pattern: '^([^\\s@]+@[^\\s@]+|[0-9a-f]{66})?$', maxLength: 254 }), {
    default: '',
    describe: 'Lightning address or node key that listeners can send payments to; empty: the feed has no podcast:value.'
  }),
  podcast_items: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
    default: 300,
    describe: 'Newest episodes in /podcast.xml. Directories list only what is in the feed.'
  })
}
