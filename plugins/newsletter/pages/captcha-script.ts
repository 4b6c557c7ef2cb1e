import { createHash } from 'node:crypto'

/**
 * Of pages with a form to sign up: fetches a challenge while the reader types, solves it as ALTCHA does, and sends the form. A
 * form that is sent before waits for it.
 */
export const captchaScript = `'use strict'
const bytes = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16))
const hex = array => Array.from(array, byte => byte.toString(16).padStart(2, '0')).join('')
async function solve(form) {
  const answer = await fetch(form.action + '/challenge')
  if (!answer.ok) throw new Error('no challenge')
  const challenge = await answer.json()
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters
  const password = new Uint8Array(nonce.length / 2 + 4)
  password.set(bytes(nonce))
  const view = new DataView(password.buffer)
  const options = { name: 'PBKDF2', hash: 'SHA-256', salt: bytes(salt), iterations: cost }
  for (let counter = 0; ; counter += 1) {
    view.setUint32(nonce.length / 2, counter)
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    const derivedKey = hex(new Uint8Array(await crypto.subtle.deriveBits(options, key, keyLength * 8)))
    if (derivedKey.startsWith(keyPrefix)) return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }))
  }
}
for (const form of document.querySelectorAll('form[data-captcha]')) {
  const { email, captcha } = form.elements
  const state = form.querySelector('[role=status]')
  let solution
  const solved = () => (solution ??= solve(form))
  form.addEventListener('focusin', () => solved().catch(() => {}), { once: true })
  form.addEventListener('submit', async event => {
    event.preventDefault()
    state.textContent = form.dataset.checking
    try {
      captcha.value = await solved()
      form.submit()
    } catch {
      solution = undefined
      state.textContent = form.dataset.failed
    }
  })
  // Typed on a page without this script.
  if (email.defaultValue !== '' && email.checkValidity()) form.requestSubmit()
}
`

const version = createHash('sha256').update(captchaScript).digest('hex').slice(0, 12)

/** Its address below that of the service. Another content has another address. */
export const captchaScriptPath = `/subscribe/script.js?v=${version}`
