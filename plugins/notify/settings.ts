import { setting, Type } from '#core'
import { addressSchema } from '#requests'

export const notifySettings = {
  telegram_bot_token: setting(Type.String({ pattern: '^[\\w:.-]*$', maxLength: 300 }), {
    default: '',
    isSecret: true,
    sentTo: 'telegram_api_root',
    describe: "Token of the operator's Telegram bot; empty: no Telegram."
  }),
  telegram_chat_id: setting(Type.String({ pattern: '^(-?\\d{1,20}|@\\w{1,64})?$' }), {
    default: '',
    isMachine: true,
    describe:
      'Chat the bot writes to and takes commands from: a number, or @name of a public group; empty: no Telegram.'
  }),
  telegram_api_root: setting(addressSchema({ pattern: '^https?://[^\\s?#]+$', maxLength: 300 }), {
    default: 'https://api.telegram.org',
    describe: 'Address of the Telegram Bot API, for a server of your own, as http(s)://host.'
  }),
  chat_webhook_url: setting(addressSchema({ pattern: '^(https?://[^\\s#]+)?$', maxLength: 1000 }), {
    default: '',
    isSecret: true,
    isMachine: true,
    describe: 'Incoming webhook of Slack or Discord for operator messages, as http(s)://…; empty: none.'
  }),
  chat_webhook_kind: setting(Type.Union([Type.Literal('auto'), Type.Literal('slack'), Type.Literal('discord')]), {
    default: 'auto',
    describe: 'What chat_webhook_url speaks; auto goes by its host and path, and takes an unknown one for Slack.'
  }),
  notify_messages_per_minute: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
    default: 20,
    describe:
      'Messages of one kind (what waits, what failed, alerts) for a chat in a minute. Further ones are combined into one message.'
  })
}
