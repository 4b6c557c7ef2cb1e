import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSharedRuns } from '#coalescing'
import { type Db, type Settings, type SettingsStore, type Tx, UnavailableError } from '#core'
import { addressKey, mailboxKey } from './addresses.ts'
import { claimKeyMaking } from './repository/state.ts'
import type { newsletterSettings } from './settings.ts'

/** Hashes of addresses, and tokens of links that are valid as long as the subscriber is there. */
export interface Keys {
  /** Of an address in any spelling: hex. Within a transaction it has to be given. */
  hashOf(email: string, tx?: Tx): Promise<string>
  /** What `hashOf` makes of the plain address of the mailbox: of ada+news@ that of ada@. */
  plainHashOf(email: string, tx?: Tx): Promise<string>
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
  const keyFor = async (purpose: string, tx?: Tx) => digest(await rootKey(tx), purpose)
  const macOf = async (id: Buffer) => digest(await keyFor('unsubscribe'), id).subarray(0, macBytes)
  const hashOf = async (email: string, tx?: Tx) =>
    digest(await keyFor('address', tx), addressKey(email)).toString('hex')
  return {
    keyFor,
    hashOf,
    plainHashOf: (email, tx) => hashOf(mailboxKey(email), tx),
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

const beingMade = () => new UnavailableError('The key of the newsletter is being made: try again.')

/**
 * The secret of the installation, made when it is first needed. Unlike the key that tokens are signed with it is never
 * rotated: links in old mails have to work. @throws UnavailableError when another process made it, and it does not come here
 */
function createRootKey({ db, settings, store }: KeyDeps): (tx?: Tx) => Promise<string> {
  const runs = createSharedRuns<string>()
  const madeIn = new WeakMap<Tx, string>()
  /** Undefined while another process makes it. */
  const makeIn = async (tx: Tx): Promise<string | undefined> => {
    const made = madeIn.get(tx)
    if (made !== undefined || !(await claimKeyMaking(tx))) return made
    const key = randomBytes(32).toString('base64url')
    await store.write(tx, 'newsletter_key', key, { actor: 'newsletter' })
    madeIn.set(tx, key)
    return key
  }
  const makeOrAwait = async () => {
    for (let waited = 0; settings.get('newsletter_key') === ''; waited += lookEveryMs) {
      await db.transaction(makeIn)
      if (settings.get('newsletter_key') !== '') break
      if (waited > maxWaitMs) throw beingMade()
      await sleep(lookEveryMs)
    }
    return settings.get('newsletter_key')
  }
  return async tx => {
    const key = settings.get('newsletter_key')
    if (key !== '') return key
    if (tx === undefined) return runs.run('newsletter_key', makeOrAwait)
    return (await makeIn(tx)) ?? Promise.reject(beingMade())
  }
}
