import type { pricingEndpoints } from '#contract/pricing.ts'
import type { Handlers } from '#server/http/handler.ts'
import { getPricing, setDiscountMinutes, setRate } from './pricing.repository.ts'

export const pricingHandlers: Handlers<typeof pricingEndpoints> = {
  getRate: async ({ context }) => ({ rate: (await getPricing(context.db)).rate }),

  getDiscount: async ({ context }) => ({ discount: (await getPricing(context.db)).discount }),

  setRate: async ({ context, body }) => {
    await setRate(context.db, body.rate, context.clock.now())
    return { rate: body.rate, message: 'Rate updated successfully' }
  },

  setDiscount: async ({ context, body }) => {
    await setDiscountMinutes(context.db, body.discount, context.clock.now())
    return { discount: body.discount, message: 'Discount updated successfully' }
  },
}
