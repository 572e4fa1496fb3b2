import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { numberLike } from './fields.ts'
import { routes } from './routes.ts'

/** ZAR per minute. */
const RateSchema = z.object({ rate: z.number() })
/** Free minutes per booking. */
const DiscountSchema = z.object({ discount: z.int() })

export const pricingEndpoints = {
  getRate: endpoint(routes.pricing.getRate, { response: RateSchema }),
  getDiscount: endpoint(routes.pricing.getDiscount, { response: DiscountSchema }),
  setRate: endpoint(routes.pricing.setRate, {
    ifMatch: 'optional',
    body: z.object({ rate: numberLike('Rate', { min: 0, max: 1_000_000, decimals: 4 }) }),
    response: z.extend(RateSchema, { message: z.string() }),
  }),
  setDiscount: endpoint(routes.pricing.setDiscount, {
    ifMatch: 'optional',
    body: z.object({ discount: numberLike('Discount', { min: 0, max: 1_000_000, decimals: 0 }) }),
    response: z.extend(DiscountSchema, { message: z.string() }),
  }),
}
