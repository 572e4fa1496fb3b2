const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** In English, of an ISO 3166 alpha-2 code; undefined of anything else, such as what was typed before there was a list. */
export function findCountryName(code: string): string | undefined {
  return /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? names.of(code) : undefined
}

/** For people to read: what is no code stands as it is. */
export function toCountryText(code: string): string {
  return findCountryName(code) ?? code
}
