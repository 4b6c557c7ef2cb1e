import { BlockList, isIP } from 'node:net'
import { splitList } from './settings.ts'

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
