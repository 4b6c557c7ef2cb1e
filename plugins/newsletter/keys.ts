import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSharedRuns } from '#coalescing'
import { type Db, type Settings, type SettingsStore, UnavailableError } from '#core'
import { addressKey, mailboxKey } from './addresses.ts'
import { claimKeyMaking } from './repository/state.ts'
import type { newsletterSettings } from './settings.ts'

/** Hashes of addresses, and tokens of links that are valid as long as the subscriber is there. */
export interface Keys {
  /** Of an address in any spelling: hex. */
  hashOf(email: string): Promise<string>
  /** What `hashOf` makes of the plain address of the mailbox: of ada+news@ that of ada@. */
  plainHashOf(email: string): Promise<string>
  /** Of the mailbox an address is delivered to: hex. */
  mailboxHashOf(email: string): Promise<string>
  /** For a link that unsubscribes. */
  unsubscribeToken(subscriber_id: string): Promise<string>
  /** The subscriber that a token is for; null for a text that is none. */
  readUnsubscribeToken(token: string): Promise<string | null>
  /** A 32-byte key with another purpose. */
  keyFor(purpose: string): Promise<Buffer>
}

interface KeyDeps {
  db: Db
  settings: Settings<typeof newsletterSettings>
  store: SettingsStore
}

const idBytes = 16
const macBytes = 16

export function createKeys(deps: KeyDeps): Keys {
  const rootKey = createRootKey(deps)
  const keyFor = async (purpose: string) => digest(await rootKey(), purpose)
  const macOf = async (id: Buffer) => digest(await keyFor('unsubscribe'), id).subarray(0, macBytes)
  const hashOf = async (email: string) => digest(await keyFor('address'), addressKey(email)).toString('hex')
  return {
    keyFor,
    hashOf,
    plainHashOf: email => hashOf(mailboxKey(email)),
    mailboxHashOf: async email => digest(await keyFor('mailbox'), mailboxKey(email)).toString('hex'),
    async unsubscribeToken(subscriber_id) {
      const id = Buffer.from(subscriber_id.replaceAll('-', ''), 'hex')
      return Buffer.concat([id, await macOf(id)]).toString('base64url')
    },
    async readUnsubscribeToken(token) {
      const bytes = Buffer.from(token.slice(0, 100), 'base64url')
      if (bytes.length !== idBytes + macBytes) return null
      const id = bytes.subarray(0, idBytes)
      return timingSafeEqual(bytes.subarray(idBytes), await macOf(id)) ? uuidOf(id) : null
    }
  }
}

const digest = (key: string | Buffer, data: string | Buffer): Buffer => createHmac('sha256', key).update(data).digest()

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Another process that makes the key at this moment has it written by then. */
const maxWaitMs = 5000
const lookEveryMs = 50

/**
 * The secret of the installation, made when it is first needed. Unlike the key that tokens are signed with it is never
 * rotated: links in old mails have to work. @throws UnavailableError when another process made it, and it does not come here
 */
function createRootKey({ db, settings, store }: KeyDeps): () => Promise<string> {
  const runs = createSharedRuns<string>()
  const make = () =>
    db.transaction(async tx => {
      if (!(await claimKeyMaking(tx))) return
      await store.write(tx, 'newsletter_key', randomBytes(32).toString('base64url'), { actor: 'newsletter' })
    })
  const makeOrAwait = async () => {
    for (let waited = 0; settings.get('newsletter_key') === ''; waited += lookEveryMs) {
      await make()
      if (settings.get('newsletter_key') !== '') break
      if (waited > maxWaitMs) throw new UnavailableError('The key of the newsletter is being made: try again.')
      await sleep(lookEveryMs)
    }
    return settings.get('newsletter_key')
  }
  return async () => settings.get('newsletter_key') || runs.run('newsletter_key', makeOrAwait)
}
