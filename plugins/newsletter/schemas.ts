import { Type } from '#core'

const strict = { additionalProperties: false }

const language = Type.Optional(
  Type.String({
    maxLength: 35,
    description:
      'BCP 47, of the page and of mails that follow; without it, or for one without texts, the language of the site.',
    examples: ['de']
  })
)

export const SubscribeRequest = Type.Object(
  {
    email: Type.String({
      maxLength: 400,
      description: 'The address that wants the newsletter.',
      examples: ['ada@example.com']
    }),
    name: Type.Optional(
      Type.String({ maxLength: 200, description: 'For the operator. No mail contains it.', examples: ['Ada'] })
    ),
    captcha: Type.Optional(
      Type.String({
        maxLength: 4000,
        description:
          'The solution of a challenge of `GET /subscribe/challenge` as ALTCHA gives it: JSON in base64. Required while `subscribe_captcha` is on.'
      })
    ),
    language
  },
  { ...strict, title: 'SubscribeRequest' }
)

export const SubscribeReply = Type.Object(
  { message: Type.String({ examples: ['If this address is not subscribed yet, a mail is on its way to it.'] }) },
  { title: 'SubscribeReply' }
)

const tokenText = (description: string) => Type.String({ maxLength: 200, description })

/** Programs that rewrite the links of mails add parameters of their own. */
const open = { additionalProperties: true }

export const ReaderPageQuery = Type.Object({ language }, open)

export const TokenQuery = Type.Object({ token: Type.Optional(tokenText('Of the link in a mail.')), language }, open)

/** RFC 8058: a mail reader posts the form field `List-Unsubscribe`, with the token in the address. */
export const UnsubscribeRequest = Type.Object(
  {
    token: Type.Optional(tokenText('Of a link in a mail; it may stand in the query instead.')),
    'List-Unsubscribe': Type.Optional(Type.String({ maxLength: 100, examples: ['One-Click'] })),
    language
  },
  { ...strict, title: 'UnsubscribeRequest' }
)

export const UnsubscribeReply = Type.Object(
  { unsubscribed: Type.Literal(true, { description: 'Also for a token that is unknown.' }) },
  { title: 'UnsubscribeReply' }
)

export const ConfirmRequest = Type.Object({ token: tokenText('Of the link in the mail.'), language }, strict)

export const ConfirmReply = Type.Object(
  { confirmed: Type.Literal(true, { examples: [true] }) },
  { title: 'ConfirmReply' }
)

export const Count = Type.Object({ count: Type.Integer({ examples: [42] }) }, { title: 'SubscriberCount' })

/** As ALTCHA's widget and library take it. */
export const CaptchaChallenge = Type.Object(
  {
    parameters: Type.Object(
      {
        algorithm: Type.String({ examples: ['PBKDF2/SHA-256'] }),
        nonce: Type.String({ examples: ['5f2b6a0c'] }),
        salt: Type.String({ examples: ['9d41c7e2'] }),
        cost: Type.Integer({ examples: [1000] }),
        keyLength: Type.Integer({ examples: [32] }),
        keyPrefix: Type.String({ examples: ['0b7c'] }),
        keySignature: Type.Optional(Type.String({ examples: ['a3f0'] })),
        expiresAt: Type.Optional(Type.Integer({ description: 'Seconds since 1970.', examples: [1_795_430_400] })),
        data: Type.Optional(
          Type.Unsafe<Record<string, string | number | boolean | null>>(
            Type.Object({ tries: Type.Integer({ description: 'What it costs, on average.', examples: [1000] }) })
          )
        )
      },
      { additionalProperties: true }
    ),
    signature: Type.Optional(Type.String({ examples: ['c1d9'] }))
  },
  { title: 'CaptchaChallenge' }
)
