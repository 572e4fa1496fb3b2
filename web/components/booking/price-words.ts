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
  const more = toMoreToPay(difference, balanceDue)
  return more > 0 ? `${toMoneyText(more)} more to pay` : `${toMoneyText(difference)} less to be given back`
}

/** Returns what the customer has to pay once the price has changed, which is less than the change if they had overpaid. */
export function toMoreToPay(difference: number, balanceDue: number): number {
  return Math.max(0, Math.min(difference, balanceDue))
}
