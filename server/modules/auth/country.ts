import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import ipaddr from 'ipaddr.js'
import { type CountryResponse, Reader } from 'mmdb-lib'
import { toNetwork } from './network.ts'

const names = new Intl.DisplayNames('en', { type: 'region' })

let reader: Reader<CountryResponse> | undefined

/** Reads the 8 MB of the database when they are first needed: 10 ms. */
function open() {
  const require = createRequire(import.meta.url)
  const path = require.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb')
  return new Reader<CountryResponse>(readFileSync(path))
}

/**
 * Returns the English name of the country that an IP address, or a network as `toNetwork` writes it, is registered in;
 * undefined for private and unknown ones.
 */
export function findCountry(from: string): string | undefined {
  const address = toNetwork(from).replace(/\/64$/, '')
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return undefined
  reader ??= open()
  // This database's records have one field, which the types of the reader's own databases do not know.
  const record = reader.get(parsed.toString()) as { country_code?: string } | null
  return record?.country_code === undefined ? undefined : names.of(record.country_code)
}
