import { DatabaseError } from 'pg'
import { describe, expect, it } from 'vitest'
import { endsSession, findOutage } from './database-error.ts'

/** An error as PostgreSQL sends it with `lc_messages = 'de_DE.UTF-8'`, which translates the severity too. */
function toGerman(code: string, severity: 'SCHWERWIEGEND' | 'FEHLER' = 'SCHWERWIEGEND'): Error {
  return Object.assign(new DatabaseError('Datenbank nimmt gerade keine Verbindungen an', 0, 'error'), {
    code,
    severity,
  })
}

describe('an error of a PostgreSQL that does not write English', () => {
  it.each(['28000', '28P01', '3D000', '55000', '57P01', '57P04', '57P05'])(
    'with the code %s is an outage, and no fault of the request',
    (code) => {
      expect(findOutage(toGerman(code))).toBe('away')
    },
  )

  it.each([
    ['57P01', true],
    ['57P05', true],
    ['25P03', true],
    ['23505', false],
    ['40001', false],
  ])('with the code %s has ended the session: %s', (code, ended) => {
    expect(endsSession(toGerman(code, ended ? 'SCHWERWIEGEND' : 'FEHLER'))).toBe(ended)
  })
})

it.each(['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
  'a certificate of the database that is refused with %s is an outage',
  (code) => {
    expect(findOutage(Object.assign(new Error('certificate has expired'), { code }))).toBe('away')
  },
)
