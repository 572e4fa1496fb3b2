import { describe, expect, it } from 'vitest'
import { findCountry } from './country.ts'

describe('the country of an address', () => {
  it.each([
    ['196.25.1.1', 'South Africa'],
    ['::ffff:196.25.1.1', 'South Africa'],
    ['8.8.8.8', 'United States'],
    ['196.25.1.1:50123', 'South Africa'],
    ['[2001:4200:0:1::9]:443', 'South Africa'],
    ['2001:4200:0:1::/64', 'South Africa'],
    ['203.0.113.9', undefined],
    ['10.0.0.1', undefined],
    ['::1', undefined],
    ['unknown', undefined],
    ['', undefined],
  ])('of %j is %j', (address, country) => {
    expect(findCountry(address)).toBe(country)
  })
})
