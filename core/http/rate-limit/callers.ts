import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { splitList } from '../settings.ts'

/** Whom a request is counted for. */
export interface Caller {
  /** Where all of them have one allowance. */
  readonly key: string
  /** The address of a proxy that nobody declared: everybody behind it is this one caller. */
  readonly undeclaredProxy?: string
}

/** The client of a token, or an address. A person has a whole IPv6 network of 64 bits: addresses of one count as one. */
export function callerOf(request: FastifyRequest, isTrusted: (address: string) => boolean): Caller {
  const { principal, raw, ip } = request
  if (principal != null) return { key: `client ${principal.client_id}` }
  const peer = raw.socket.remoteAddress ?? ''
  if (!isTrusted(peer)) return callerAt(peer, isForwarded(request))
  // A trusted proxy passes on what its own client said, which may be anything.
  return callerAt(isIP(ip) === 0 ? peer : ip, false)
}

export function callerAt(address: string, isProxy = false): Caller {
  const network = networkOf(address)
  return isProxy ? { key: `proxy ${network}`, undeclaredProxy: network } : { key: `ip ${network}` }
}

/** An IPv4 address as it is, the network of an IPv6 address as `2001:db8:0:7::/64`. */
export function networkOf(address: string): string {
  const [unzoned = ''] = address.split('%', 1)
  if (isIP(unzoned) !== 6) return unzoned
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(unzoned)?.[1]
  if (mapped !== undefined) return mapped
  const [left = '', right] = unzoned.split('::', 2)
  const before = left === '' ? [] : left.split(':')
  const after = right === undefined || right === '' ? [] : right.split(':')
  // An IPv4 address at the end stands for two groups.
  const length = before.length + after.length + (unzoned.includes('.') ? 1 : 0)
  const zeros = right === undefined ? [] : Array.from({ length: 8 - length }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** What proxies add, the declared ones or not. Names arrive in lower case. */
const forwarding = /^(forwarded|via|x-real-ip|x-forwarded-.*)$/

/** True when a proxy says that it passes the request on. */
export const isForwarded = ({ headers }: { headers: object }): boolean =>
  Object.keys(headers).some(name => forwarding.test(name))

/** Tells which peers are reverse proxies whose forwarding headers are believed. Follows the setting. */
export function createTrustedProxies(list: () => string): (address: string) => boolean {
  let known = ''
  let networks: BlockList | undefined
  return address => {
    const present = list()
    if (present === '') return false
    if (present !== known) {
      networks = networksOf(present)
      known = present
    }
    const family = isIP(address)
    return family !== 0 && networks !== undefined && networks.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
}

function networksOf(list: string): BlockList {
  const networks = new BlockList()
  for (const network of splitList(list)) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) networks.addAddress(address, family)
    else networks.addSubnet(address, Number(bits), family)
  }
  return networks
}
