import type { pricingEndpoints } from '#contract/pricing.ts'
import type { Handlers } from '#server/http/handler.ts'
import { getPricing, updatePricing } from './pricing.repository.ts'

export const pricingHandlers: Handlers<typeof pricingEndpoints> = {
  getRate: ({ context }) => getPricing(context.db),

  getDiscount: ({ context }) => getPricing(context.db),

  setRate: async ({ context, actor, body }) => ({
    ...(await updatePricing(context.db, actor, { rate: body.rate })),
    message: 'Rate updated successfully',
  }),

  setDiscount: async ({ context, actor, body }) => ({
    ...(await updatePricing(context.db, actor, { discount_minutes: body.discount })),
    message: 'Discount updated successfully',
  }),
}
