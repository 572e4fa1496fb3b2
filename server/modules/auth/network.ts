import ipaddr from 'ipaddr.js'

/** Returns the part of an address that one customer of a network provider has: an IPv4 address or an IPv6 /64. */
export function toNetwork(address: string): string {
  // Some proxies add the port, which changes with every connection.
  const bare = address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  if (!ipaddr.isValid(bare)) return bare
  const parsed = ipaddr.process(bare) // turns an IPv4-mapped IPv6 address into IPv4
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString()
}
