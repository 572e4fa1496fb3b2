import { expect, it } from 'vitest'
import { toAmountText, toMoneyText } from './money.ts'

it('writes amounts in rand, with two decimals and spaces between thousands', () => {
  const plain = (text: string) => text.replaceAll('\u00A0', ' ')
  expect(plain(toMoneyText(1234.5))).toBe('R 1 234.50')
  expect(plain(toMoneyText(1_234_567))).toBe('R 1 234 567.00')
  expect(plain(toMoneyText(-3))).toBe('-R 3.00')
  expect(plain(toMoneyText(12, 'USD'))).toBe('USD 12.00')
  expect(plain(toAmountText(23.5))).toBe('23.50')
})
