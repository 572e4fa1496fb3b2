import { describe, expect, it } from 'vitest'
import { COUNTRY_CODES, listCountries, parseCountry, toCountryName } from './countries.ts'

describe('countries', () => {
  it('are the 249 of ISO 3166, each with a unique name that can be parsed', () => {
    expect(COUNTRY_CODES).toHaveLength(249)
    expect(new Set(COUNTRY_CODES.map(toCountryName)).size).toBe(249)
    for (const code of COUNTRY_CODES) {
      expect(toCountryName(code)).not.toBe(code)
      expect(parseCountry(toCountryName(code).toUpperCase())).toBe(code)
    }
  })

  it.each([
    ['ZA', 'ZA'],
    [' za ', 'ZA'],
    ['South Africa', 'ZA'],
    ['south-africa', 'ZA'],
    ['Republic of South Africa', 'ZA'],
    ['+27', 'ZA'],
    ['0027', 'ZA'],
    ['27', 'ZA'],
    ['+264', 'NA'],
    ['UK', 'GB'],
    ['U.S.A.', 'US'],
    ['Cote d’Ivoire', 'CI'],
    ["Côte d'Ivoire", 'CI'],
    ['The Netherlands', 'NL'],
    ['Saint Lucia', 'LC'],
    ['Trinidad and Tobago', 'TT'],
    ['Swaziland', 'SZ'],
  ])('are recognised: %s is %s', (text, code) => {
    expect(parseCountry(text)).toBe(code)
  })

  // Several countries share +1 and +7.
  it.each(['', ' ', 'ZZ', 'XX', 'EU', 'Narnia', '+1', '+7', '+999', '2', 'ZA, South Africa', '12345', 'constructor'])(
    'do not include %j',
    (text) => {
      expect(parseCountry(text)).toBeUndefined()
    },
  )

  it('are listed with South Africa first, then by name', () => {
    const names = listCountries(' ').map(toCountryName)
    expect(names).toHaveLength(249)
    expect(names.slice(0, 4)).toEqual(['South Africa', 'Afghanistan', 'Åland Islands', 'Albania'])
    expect(names.slice(1)).toEqual(names.slice(1).toSorted((a, b) => a.localeCompare(b, 'en')))
  })

  it('are found by part of the name, by code and by other names', () => {
    expect(listCountries('za')[0]).toBe('ZA')
    expect(listCountries('south')[0]).toBe('ZA')
    expect(listCountries('nami')).toEqual(['NA'])
    expect(listCountries('Cote')).toEqual(['CI'])
    expect(listCountries('holland')).toEqual(['NL'])
    expect(listCountries('africa')[0]).toBe('ZA')
    expect(listCountries('babwe')).toEqual(['ZW'])
    expect(listCountries('Narnia')).toEqual([])
    expect(listCountries('%')).toEqual([])
  })
})
