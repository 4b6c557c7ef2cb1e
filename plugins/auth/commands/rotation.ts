import { fieldLines } from '#cli'
import { command, type SigningSecret } from '#core'
import type { Clients } from '../clients.ts'
import { consumers } from '../settings.ts'

/** `auth migrate-<consumer>`, one for each. */
export const secretMigrationCommands = (clients: Pick<Clients, 'list' | 'rotate'>) =>
  Object.fromEntries(consumers.map(consumer => [`migrate-${consumer}`, migrateConsumer(clients, consumer)]))

const migrateConsumer = (clients: Pick<Clients, 'list' | 'rotate'>, consumer: string) =>
  command({
    describe: `Give the consumer ${consumer} a new client; the old secret stops working, the new one is printed once`,
    returns: '{client_id, client_secret, scope, revoked_client_id}',
    args: {},
    async confirm() {
      const client = (await clients.list()).find(each => each.consumer === consumer && each.revoked_at === null)
      if (client === undefined) return null
      return { text: `Revoke ${client.client_id}, the client of ${consumer}? What uses it stops working at once.` }
    },
    async run() {
      const { client_id, client_secret, scope, revoked_client_id } = await clients.rotate(consumer)
      return { client_id, client_secret, scope, revoked_client_id }
    },
    text: ({ revoked_client_id, ...credentials }) =>
      [
        fieldLines(credentials),
        ...(revoked_client_id === null ? [] : [`The client ${revoked_client_id} was revoked.`]),
        `The secret is shown this once; it is also stored, encrypted, in ${consumer}_oauth_client_secret.`
      ].join('\n')
  })

export const rotateSecret = (signing: SigningSecret) =>
  command({
    describe: 'Replace GALLEY_JWT_SECRET: every access token and preview link issued so far is void',
    returns: '{rotated, file}',
    args: {},
    confirm: () => ({ text: 'Every access token and preview link issued so far stops working. Go on?' }),
    async run({ terminal }) {
      const { file } = await signing.rotate()
      terminal.note(
        `Processes that read ${file} follow within a second. A process on another machine, or with GALLEY_JWT_SECRET in its environment, needs the new value and a restart.`
      )
      return { rotated: true, file }
    },
    text: ({ file }) => `GALLEY_JWT_SECRET in ${file} was replaced.`
  })
