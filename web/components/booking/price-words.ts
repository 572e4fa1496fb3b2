import { toMoneyText } from '#contract/money.ts'

/**
 * Returns what a change of the price means for the customer: 'R 75.00 more to pay'. A lower price is only given back as
 * far as it was paid, and a higher one first uses up what is to be given back. `balanceDue` is that after the change.
 */
export function toDifferenceText(difference: number, balanceDue: number): string {
  if (difference < 0) {
    return balanceDue < 0
      ? `${toMoneyText(Math.min(-difference, -balanceDue))} to be given back`
      : `${toMoneyText(-difference)} less to pay`
  }
  return balanceDue > 0
    ? `${toMoneyText(Math.min(difference, balanceDue))} more to pay`
    : `${toMoneyText(difference)} less to be given back`
}
