import type { messageEndpoints } from '#contract/messages.ts'
import { inOneTransaction } from '#server/db/transaction.ts'
import type { Handlers } from '#server/http/handler.ts'
import { getBookingPage } from '../bookings/booking-page.service.ts'
import { sendAgain } from './booking-messages.service.ts'
import { listEnabledKinds } from './messages.repository.ts'
import { getTemplates, previewMessage, setReminder, setReminders, setTemplate } from './templates.service.ts'

export const messageHandlers: Handlers<typeof messageEndpoints> = {
  kinds: async ({ context }) => ({
    kinds: await listEnabledKinds(context.db),
    canSend: context.sendMail !== undefined,
  }),

  templates: ({ context }) => getTemplates(context),

  setTemplate: ({ context, actor, params, body }) => setTemplate(context, actor, params.id, body),

  preview: ({ context, params, body }) => previewMessage(context, params.id, body),

  setReminder: ({ context, actor, params, body }) => setReminder(context, actor, params.id, body.reminderHours),

  setReminders: ({ context, actor, body }) => setReminders(context, actor, body.reminderHours),

  sendAgain: ({ context, actor, session, params }) =>
    inOneTransaction(context, async (context) => {
      await sendAgain(context, actor, session, params.id)
      return getBookingPage(context, session, params.id)
    }),
}
