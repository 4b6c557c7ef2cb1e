import { listOf, table } from '#cli'
import { AuthError, command, InputError, NotFoundError, type SettingsStore, type SigningSecret } from '#core'
import { type Clients, defaultScopes, registrationFaults } from '../clients.ts'
import { consumers } from '../settings.ts'
import type { TokenReply, Tokens } from '../tokens.ts'
import { rotateSecret, secretMigrationCommands } from './rotation.ts'

interface AuthCommands {
  clients: Clients
  tokens: Tokens
  store: SettingsStore
  signing: SigningSecret
}

export const authCommands = (deps: AuthCommands) => ({
  'mint-token': mintToken(deps),
  'register-client': registerClient(deps),
  'list-clients': listClients(deps),
  'revoke-client': revokeClient(deps),
  ...secretMigrationCommands(deps.clients),
  'rotate-jwt-secret': rotateSecret(deps.signing)
})

const mintToken = ({ clients, tokens, store }: AuthCommands) =>
  command({
    describe: 'Print an access token, by default for the client cli',
    returns: '{access_token, token_type, expires_in, scope}',
    args: {
      'client-id': { type: 'string', describe: 'Client to mint it for; needs --client-secret' },
      'client-secret': { type: 'string', isSecret: true, describe: 'Its secret' },
      client: { type: 'string', describe: 'Consumer whose stored credentials to use', options: consumers }
    },
    async run({ args }): Promise<TokenReply> {
      const { client_id, client_secret } = credentialsOf(store, args)
      const client = await clients.verify(client_id, client_secret)
      if (client === undefined) {
        throw new AuthError(`The client ${client_id} is unknown or revoked, or the secret is wrong.`)
      }
      return tokens.mint(client.client_id, client.scope)
    },
    text: reply => reply.access_token
  })

function credentialsOf(
  store: SettingsStore,
  args: { client?: string | undefined; 'client-id'?: string | undefined; 'client-secret'?: string | undefined }
) {
  const { client, 'client-id': client_id, 'client-secret': client_secret } = args
  if (client_id !== undefined && client_secret !== undefined && client === undefined)
    return { client_id, client_secret }
  if (client_id !== undefined || client_secret !== undefined) {
    throw new InputError(
      { 'client-id': 'goes with --client-secret and without --client' },
      'Give --client-id and --client-secret, or --client <name>.'
    )
  }
  const consumer = client ?? 'cli'
  const stored = {
    client_id: store.value(`${consumer}_oauth_client_id`),
    client_secret: store.value(`${consumer}_oauth_client_secret`)
  }
  if (stored.client_id === '') {
    const remedy = consumer === 'cli' ? 'galley setup' : `galley auth migrate-${consumer}`
    throw new NotFoundError(`The consumer ${consumer} has no stored credentials: run "${remedy}".`)
  }
  return stored
}

const registerClient = ({ clients }: AuthCommands) =>
  command({
    describe: 'Register a client; its secret is printed once',
    returns: '{client_id, client_secret, scope}',
    args: {
      name: { type: 'string', describe: 'What the client is', required: true },
      scope: {
        type: 'string',
        describe:
          "What it may do, separated by blanks: api:read, api:write, and api:admin for settings of the operator's machine",
        default: defaultScopes.join(' ')
      }
    },
    validate: registrationFaults,
    run: ({ args }) => clients.register(args.name, args.scope),
    text: ({ client_id, client_secret, scope }) =>
      `client_id: ${client_id}\nclient_secret: ${client_secret}\nscope: ${scope}`
  })

const listClients = ({ clients }: AuthCommands) =>
  command({
    describe: 'All clients, revoked ones included',
    returns: 'list of Client',
    args: {},
    run: async () => listOf(await clients.list()),
    text: (page, terminal) =>
      table(
        [
          { heading: 'CLIENT' },
          { heading: 'NAME' },
          { heading: 'SCOPE', dropOrder: 2 },
          { heading: 'CREATED', dropOrder: 3 },
          { heading: 'REVOKED', dropOrder: 1 }
        ],
        page.items.map(client => [
          client.client_id,
          client.client_name,
          client.scope,
          client.created_at,
          client.revoked_at
        ]),
        terminal
      )
  })

const revokeClient = ({ clients }: AuthCommands) =>
  command({
    describe: 'Revoke a client; its tokens stop working within a second',
    returns: 'Client',
    confirm: ({ args }) => ({ text: `Revoke the client ${args.client_id}? What uses it stops working at once.` }),
    args: {
      client_id: {
        type: 'positional',
        describe: 'Id of the client, or 8 or more of its first characters',
        required: true
      }
    },
    run: ({ args }) => clients.revoke(args.client_id),
    text: client => `Revoked ${client.client_id} (${client.client_name}).`
  })
