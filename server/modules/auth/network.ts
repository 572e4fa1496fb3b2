import ipaddr from 'ipaddr.js'

/** What one customer of a network provider holds: an IPv4 address, or 64 bits of an IPv6 address. */
export function toNetwork(address: string): string {
  // Some proxies add the port, which a caller chooses anew with every connection.
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
