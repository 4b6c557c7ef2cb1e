import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFormerPictures } from '../../../../plugins/posts/reads/picture-addresses.ts'

const picture = `/images/generated/${'0a'.repeat(32)}.png`

test('what a process without public_url called itself is known, as in a container that listens everywhere', () => {
  const pattern = createFormerPictures(() => '')
  for (const address of [
    'http://127.0.0.1:8311',
    'http://127.0.0.2:8311',
    'http://localhost',
    'http://0.0.0.0:8311',
    'http://[::1]:8311',
    'http://[::]:8311'
  ])
    assert.equal(`<${address}${picture}>`.replace(pattern(), 'here'), `<here${picture}>`, address)
})

test('an address stays that only begins or ends as a former one does', () => {
  const pattern = createFormerPictures(() => 'https://old.example')
  for (const text of [
    `https://old.example.org${picture}`,
    `https://old.example:8443${picture}`,
    `https://very.old.example${picture}`,
    `https://old.example/blog${picture}`,
    `https://archive.example/https://old.example${picture}`,
    'https://old.example/images/generated/tides.png'
  ])
    assert.equal(text.replace(pattern(), 'here'), text)
})
