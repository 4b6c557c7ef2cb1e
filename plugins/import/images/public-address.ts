import ipaddr from 'ipaddr.js'

/**
 * Whether an IP address is one of the public internet: no private, link-local, loopback, shared or reserved one, and none that
 * carries an IPv4 address inside, which may be any of them.
 */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast'
