import { escapeHtml } from '#text/html-entities'

/** Finds the addresses that the service had before, in front of the pictures that it stores. */
type FormerPictures = () => RegExp

/** The name of a stored picture, or of a narrower form of one: the hash of its bytes, wherever it is served. */
const storedPicture = '(?=/images/generated/[0-9a-f]{64}[.-])'

/** What a process without `public_url` called itself. Of no use to any reader on another machine. */
const ownMachine = String.raw`https?://(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(?::\d{1,5})?`

/** An address that is part of another one, such as that of an archive, leads to something else. */
const isWhole = '(?<!/)'

/** `former` is the value of `former_public_urls`. */
export function createFormerPictures(former: () => string): FormerPictures {
  let list: string | undefined
  let pattern = new RegExp(isWhole + ownMachine + storedPicture, 'g')
  return () => {
    const current = former()
    if (current === list) return pattern
    const addresses = formerAddresses(current)
      .flatMap(formsOf)
      .map(address => address.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    pattern = new RegExp(`${isWhole}(?:${[ownMachine, ...addresses].join('|')})${storedPicture}`, 'g')
    list = current
    return pattern
  }
}

/** The addresses of the setting, each as `public_url` has it. */
export const formerAddresses = (list: string): string[] =>
  list
    .split(',')
    .map(address => address.trim().replace(/\/+$/, ''))
    .filter(address => address !== '')

/** As people write an address, and as the HTML of a text has it. */
function formsOf(address: string): string[] {
  // What was encoded by whoever wrote it stays as it is.
  const encoded = encodeURI(address).replaceAll('%25', '%')
  return [...new Set([address, encoded, escapeHtml(address), escapeHtml(encoded)])]
}
