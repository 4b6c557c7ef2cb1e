import { setting, Type } from '#core'

const address = (describe: string, example = '') =>
  setting(Type.String({ pattern: '^(https?://[^\\s#]+)?$', maxLength: 1000 }), {
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
    'Address of the front end that is told of every publication, edit and withdrawal, as http(s)://host/path; empty: none.'
  ),
  revalidate_secret: secret(
    'revalidate_url',
    'What the front end knows galley by: sent to revalidate_url as x-revalidate-secret, and the key of x-revalidate-signature.'
  )
}

export const hubSettings = {
  websub_hub_url: address(
    'WebSub hub that the feeds name and that is told of every change of them, such as https://pubsubhubbub.appspot.com/; empty: none.'
  )
}

export const revalidationSettings = { ...frontEndSettings, ...hubSettings }
