import ipaddr from 'ipaddr.js'

/** What a network provider gives to one customer: an IPv4 address, or an IPv6 /64. */
export function toNetwork(address: string): string {
  // Some proxies add the port, which changes with every connection.
  const bare = address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  if (!ipaddr.isValid(bare)) return bare
  const parsed = ipaddr.process(bare) // an IPv4 address that came by an IPv6 socket is one
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString()
}
