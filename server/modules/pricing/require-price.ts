import { AppError } from '#server/http/app-error.ts'

/** Throws a 409 when the price is not the one that the client has shown, if it says which (rules §27.5, §29.5). */
export function requirePrice(shown: number | undefined, price: number | null): void {
  if (shown !== undefined && price !== null && shown !== price) throw new AppError('price_changed')
}
