/** Finds the addresses that the service had before, in front of the pictures that it stores. */
type FormerPictures = () => RegExp

/** The name of a stored picture, or of a narrower form of one: the hash of its bytes, wherever it is served. */
const storedPicture = '(?=/images/generated/[0-9a-f]{64}[.-])'

/** What a process without `public_url` called itself. Of no use to any reader on another machine. */
const ownMachine = String.raw`https?://(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?`

/** `former` is the value of `former_public_urls`. */
export function createFormerPictures(former: () => string): FormerPictures {
  let list: string | undefined
  let pattern = new RegExp(ownMachine + storedPicture, 'g')
  return () => {
    const current = former()
    if (current === list) return pattern
    const addresses = formerAddresses(current).map(address => address.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    pattern = new RegExp(`(?:${[ownMachine, ...addresses].join('|')})${storedPicture}`, 'g')
    list = current
    return pattern
  }
}

/** The addresses of the setting, each as `public_url` has it. */
const formerAddresses = (list: string): string[] =>
  list
    .split(',')
    .map(address => address.trim().replace(/\/+$/, ''))
    .filter(address => address !== '')
