const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** Returns the English name for an ISO 3166 alpha-2 code; undefined for other text, which older records may have. */
export function findCountryName(code: string): string | undefined {
  return /^[A-Z]{2}$/.test(code) && code !== 'ZZ' ? names.of(code) : undefined
}

/** Returns the country's name, or the text itself when it is not a country code. */
export function toCountryText(code: string): string {
  return findCountryName(code) ?? code
}
