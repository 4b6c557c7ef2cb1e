import { type SettingMap, setting, Type } from '#core'

/** Consumers whose credentials are stored in settings. */
export const consumers = ['cli', 'mcp', 'mcp-gladlabs', 'brain', 'scripts', 'openclaw'] as const

export const authSettings = {
  development_mode: setting(Type.Boolean(), {
    default: false,
    isMachine: true,
    describe:
      'Accept the literal token dev-token while the server listens on a loopback address, for requests that came through no proxy, to an address, to localhost or to the host of public_url. Never switch it on in production.'
  }),
  oauth_token_ttl_seconds: setting(Type.Integer({ minimum: 60, maximum: 86_400 }), {
    default: 900,
    describe: 'Lifetime of an access token, in seconds.'
  })
}

const consumerSettings = (consumer: string) => ({
  [`${consumer}_oauth_client_id`]: setting(Type.String({ maxLength: 64 }), {
    default: '',
    describe: `OAuth client of the consumer ${consumer}.`
  }),
  [`${consumer}_oauth_client_secret`]: setting(Type.String({ maxLength: 200 }), {
    default: '',
    isSecret: true,
    describe: `Its secret.`
  })
})

/** With the consumers' credentials, which are read by name. */
export const allSettings: typeof authSettings & SettingMap = Object.assign(
  {},
  authSettings,
  ...consumers.map(consumerSettings)
)
