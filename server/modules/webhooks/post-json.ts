import { lookup } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

const TIMEOUT_MS = 10_000
/** The most characters of a response that are kept to be shown to staff. */
const MOST_CHARACTERS = 500

export class PrivateAddressError extends Error {
  constructor() {
    super('The address is of a private network: webhooks go to public addresses (WEBHOOK_PRIVATE_ADDRESSES)')
  }
}

export class NoResponseError extends Error {
  constructor() {
    super(`There was no response within ${TIMEOUT_MS / 1000} seconds`)
  }
}

/** The only addresses of IPv6 that are given out for the public network. Others may stand for an IPv4 address. */
const publicIPv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Returns whether an address is public: not local, private or reserved, and not a stand-in for another address. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(publicIPv6))
}

/** Resolves a name and checks all its addresses, so that the connection goes to an address that was checked. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error) callback(error, '')
    else if (!first || addresses.some(({ address }) => !isPublicAddress(address)))
      callback(new PrivateAddressError(), '')
    else if (options.all) callback(null, addresses)
    else callback(null, first.address, first.family)
  })
}

/** Posts once, without following redirects. Rejects with a NoResponseError when there is no response in time. */
export function postJson(
  url: string,
  { body, headers, allowPrivate }: { body: string; headers: Record<string, string>; allowPrivate: boolean },
): Promise<{ status: number; text: string }> {
  const target = new URL(url)
  const host = target.hostname.replace(/^\[(.*)\]$/, '$1')
  // Node does not look up a host that is an IP address, so that it is checked here.
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) return Promise.reject(new PrivateAddressError())
  const send = target.protocol === 'https:' ? requestHttps : requestHttp
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  return new Promise((resolve, reject) => {
    const request = send(
      target,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers },
        agent: false,
        signal,
        ...(allowPrivate ? {} : { lookup: lookupPublic }),
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          // The rest is not needed, and may be endless.
          if (text.length >= MOST_CHARACTERS) response.destroy()
          else text += chunk
        })
        response.on('close', () => resolve({ status: response.statusCode ?? 0, text: toShown(text) }))
      },
    )
    // A receiver that wants another protocol gives no response and causes no error.
    request.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy()
      resolve({ status: statusCode, text: '' })
    })
    request.on('error', (error) => reject(signal.aborted ? new NoResponseError() : error))
    request.end(body)
  })
}

/**
 * Drops control characters: the database stores no NUL, which bytes in another encoding or compressed ones contain, and
 * others could command the terminal in which somebody reads the log.
 */
function toShown(text: string): string {
  return text.slice(0, MOST_CHARACTERS).replaceAll(/(?![\n\t])\p{Cc}/gu, '')
}
