import { Type } from '#core'

export const OAuthErrorBody = Type.Object(
  {
    error: Type.Enum(['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope']),
    error_description: Type.String({ examples: ['grant_type is required: send client_credentials.'] })
  },
  { title: 'OAuthError' }
)

const clientId = Type.Optional(Type.String({ examples: ['gly_0123456789abcdef0123456789abcdef'] }))

export const TokenRequest = Type.Object({
  grant_type: Type.String({ description: 'client_credentials', examples: ['client_credentials'] }),
  client_id: clientId,
  client_secret: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String({ description: 'Narrows the client’s scope.', examples: ['api:read'] }))
})

export const RevocationRequest = Type.Object({
  token: Type.String(),
  token_type_hint: Type.Optional(Type.String({ examples: ['access_token'] })),
  client_id: clientId,
  client_secret: Type.Optional(Type.String())
})

export const TokenResponse = Type.Object({
  access_token: Type.String({ examples: ['eyJhbGciOiJIUzI1NiJ9.e30.c2ln'] }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds.', examples: [900] }),
  scope: Type.String({ examples: ['api:read api:write'] })
})

const address = Type.String({ examples: ['https://example.org'] })

export const Metadata = Type.Object({
  issuer: address,
  token_endpoint: address,
  revocation_endpoint: address,
  grant_types_supported: Type.Array(Type.String({ examples: ['client_credentials'] })),
  response_types_supported: Type.Array(Type.String()),
  scopes_supported: Type.Array(Type.String({ examples: ['api:read'] })),
  token_endpoint_auth_methods_supported: Type.Array(Type.String({ examples: ['client_secret_post'] })),
  revocation_endpoint_auth_methods_supported: Type.Array(Type.String({ examples: ['client_secret_post'] }))
})
