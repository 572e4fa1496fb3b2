import { describe, expect, it } from 'vitest'
import { findPasswordProblem, type PasswordSurroundings } from './password-rules.ts'

const surroundings: PasswordSurroundings = {
  email: 'Lerato.Molefe@example.com',
  productName: 'Podkeeper',
  common: new Set(['password123', 'password', 'welcome']),
}
const judge = (password: string, others: Partial<PasswordSurroundings> = {}) =>
  findPasswordProblem(password, { ...surroundings, ...others })

describe('a password', () => {
  it.each([
    'correct horse battery',
    'ten chars!',
    'zwölf Züge',
    'пароль из слов',
    '🙂🙃😀😁😂🤣😃😄😅😆',
    '!@#$%^&*()',
    'the podkeeper of the harbour',
    'lerato.molefe walks her dog at noon',
    'a password of ours',
    'welcome to the harbour',
    'password8273645182736',
    '3141592653',
    'aabbccddee',
  ])('may be %s', (password) => {
    expect(judge(password)).toBeUndefined()
  })

  it.each(['', 'ninechars', 'a', '🙂🙃😀😁😂🤣😃😄😅'])('must not be too short: %j', (password) => {
    expect(judge(password)).toBe('needs at least 10 characters')
  })

  it('must not be longer than 200 characters', () => {
    const longest = 'correct horse battery '.repeat(10).slice(0, 200)
    expect(judge(longest)).toBeUndefined()
    expect(judge(`${longest}s`)).toBe('may have at most 200 characters')
  })

  it.each([
    'lerato.molefe@example.com',
    'LERATO.MOLEFE@EXAMPLE.COM',
    'lerato.molefe',
    'LeratoMolefe1!',
    '2026-lerato-molefe',
    'leratomolefeleratomolefeleratomolefe12345',
    'my lerato.molefe',
  ])('must not be the email address, or nearly: %s', (password) => {
    expect(judge(password)).toBe('must not be the email address, or little more than it')
  })

  it.each([
    'Podkeeper2026',
    'podkeeper!',
    'p.o.d.k.e.e.p.e.r',
    'ＰｏｄＫｅｅｐｅｒ1',
    'podkeeperpodkeeper',
    'podkeeper246813579',
  ])('must not be the product’s name, or nearly: %s', (password) => {
    expect(judge(password)).toBe('must not be the name Podkeeper, or little more than it')
  })

  it.each([
    'password123',
    'PASSWORD123',
    'Password1!',
    'P@ssw0rd123',
    'Pa$$word2026',
    '!!welcome!!',
    'welcome2468135',
    'aaaaaaaaaa',
    'abababababab',
    '          ',
    'abcdefghij',
    'jihgfedcba',
    '1234567890',
    '0987654321',
    '9876543210',
  ])('must not be a common one, or nearly: %s', (password) => {
    expect(judge(password)).toMatch(/^is one of those that are guessed first/)
  })

  it('is checked even without an email address and a product name', () => {
    expect(judge('correct horse battery', { email: '', productName: '' })).toBeUndefined()
    expect(judge('----------', { email: '', productName: '-' })).toMatch(/guessed first/)
  })
})
