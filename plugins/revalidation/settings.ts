import { setting, Type } from '#core'
import { addressSchema } from '#requests'

const address = (describe: string, example = '') =>
  setting(addressSchema({ pattern: '^(https?://[^\\s#]+)?$', maxLength: 1000 }), {
    default: example,
    isMachine: true,
    describe
  })

/** A secret goes into a header: visible ASCII. */
const secret = (sentTo: string, describe: string) =>
  setting(Type.String({ pattern: '^[\\x21-\\x7e]*$', maxLength: 1000 }), {
    default: '',
    isSecret: true,
    sentTo,
    describe
  })

export const frontEndSettings = {
  revalidate_url: address(
    'Address of the front end that is notified of every publication, edit and withdrawal, as http(s)://host/path; empty: none.'
  ),
  revalidate_secret: secret(
    'revalidate_url',
    'What the front end knows galley by: sent to revalidate_url as x-revalidate-secret, and the key of x-revalidate-signature.'
  )
}

export const hubSettings = {
  websub_hub_url: address(
    'WebSub hub that the feeds name and that is notified of every change of them, such as https://pubsubhubbub.appspot.com/; empty: none.'
  )
}

/** An id is a part of an address. */
const id = (describe: string) =>
  setting(Type.String({ pattern: '^[\\w-]*$', maxLength: 100 }), { default: '', describe })

export const cdnSettings = {
  fastly_service_id: id('Service at Fastly whose cache is purged after every change; empty: none.'),
  fastly_api_url: address('Address of the interface of Fastly, as https://api.fastly.com.', 'https://api.fastly.com'),
  fastly_api_token: secret('fastly_api_url', 'Token for Fastly that may purge.'),
  cloudflare_zone_id: id('Zone at Cloudflare whose cache is purged after every change; empty: none.'),
  cloudflare_api_url: address(
    'Address of the interface of Cloudflare, as https://api.cloudflare.com.',
    'https://api.cloudflare.com'
  ),
  cloudflare_api_token: secret('cloudflare_api_url', 'Token for Cloudflare that may purge.'),
  varnish_url: address('Address of a Varnish whose cache is purged after every change, as http(s)://…; empty: none.')
}

export const revalidationSettings = { ...frontEndSettings, ...hubSettings, ...cdnSettings }
