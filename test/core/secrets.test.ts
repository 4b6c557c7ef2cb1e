import assert from 'node:assert/strict'
import { createDecipheriv, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { createSecrets, deriveKey, isEncrypted } from '../../core/secrets.ts'

const masterKey = randomBytes(32)
const secrets = createSecrets(masterKey)

test('a stored secret is enc:v1: and base64 of nonce, ciphertext and tag, bound to its key', () => {
  const stored = secrets.encrypt('smtp_url', 'smtps://grüße')
  assert.ok(isEncrypted(stored))
  const sealed = Buffer.from(stored.slice('enc:v1:'.length), 'base64')
  assert.equal(sealed.length, 12 + Buffer.byteLength('smtps://grüße') + 16)
  const cipher = createDecipheriv('aes-256-gcm', masterKey, sealed.subarray(0, 12)).setAAD(Buffer.from('smtp_url'))
  cipher.setAuthTag(sealed.subarray(-16))
  assert.equal(cipher.update(sealed.subarray(12, -16), undefined, 'utf8') + cipher.final('utf8'), 'smtps://grüße')
})

test('a secret decrypts to what was encrypted, the empty one too, and never looks the same twice', () => {
  for (const plain of ['', 'x', '😀'.repeat(1000)]) {
    assert.equal(secrets.decrypt('k', secrets.encrypt('k', plain)), plain)
  }
  assert.notEqual(secrets.encrypt('k', 'x'), secrets.encrypt('k', 'x'))
})

const stored = secrets.encrypt('k', 'plain')
const refused: [title: string, decrypt: () => string][] = [
  ['under another key name', () => secrets.decrypt('other', stored)],
  ['with another master key', () => createSecrets(randomBytes(32)).decrypt('k', stored)],
  ['with a changed byte', () => secrets.decrypt('k', `${stored.slice(0, -6)}AAAA==`)],
  ['cut short', () => secrets.decrypt('k', stored.slice(0, 30))],
  ['empty', () => secrets.decrypt('k', 'enc:v1:')]
]
for (const [title, decrypt] of refused) {
  test(`a secret does not decrypt ${title}`, () => {
    assert.throws(decrypt)
  })
}

test('keys of different purposes and secrets differ, and are stable', () => {
  const keys = [deriveKey('a', 'one'), deriveKey('a', 'two'), deriveKey('b', 'one')].map(key =>
    Buffer.from(key).toString('hex')
  )
  assert.equal(new Set(keys).size, 3)
  assert.equal(keys[0]?.length, 64)
  assert.equal(keys[0], Buffer.from(deriveKey('a', 'one')).toString('hex'))
})
