/**
 * Fetches a challenge, solves it as ALTCHA does, and sends the form. It stands in the page, whose policy names its hash. It
 * works while the reader types; a form that is sent before waits for it.
 */
export const captchaScript = `
'use strict'
const form = document.querySelector('form[data-captcha]')
const state = document.querySelector('[role=status]')
const bytes = hex => Uint8Array.from(hex.match(/../g) ?? [], pair => parseInt(pair, 16))
const hex = array => Array.from(array, byte => byte.toString(16).padStart(2, '0')).join('')
async function solve() {
  const answer = await fetch('/subscribe/challenge')
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
let solution
const solved = () => (solution ??= solve())
form.addEventListener('focusin', () => solved().catch(() => {}), { once: true })
form.addEventListener('submit', async event => {
  event.preventDefault()
  state.textContent = 'Checking that you are no machine. This takes a few seconds.'
  try {
    form.elements.captcha.value = await solved()
    form.submit()
  } catch {
    solution = undefined
    state.textContent = 'That did not work. Please try again, or with another browser.'
  }
})
if (form.elements.email.value !== '' && form.elements.email.checkValidity()) form.requestSubmit()
`
