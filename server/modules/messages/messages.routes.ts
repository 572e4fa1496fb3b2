import type { messageEndpoints } from '#contract/messages.ts'
import type { Handlers } from '#server/http/handler.ts'
import { getBookingPage } from '../bookings/booking-actions.service.ts'
import { createOnce } from '../idempotency/create-once.ts'
import { sendAgain } from './messages.service.ts'
import { getTemplates, previewMessage, setReminder, setTemplate } from './templates.service.ts'

export const messageHandlers: Handlers<typeof messageEndpoints> = {
  templates: ({ context }) => getTemplates(context),

  setTemplate: ({ context, actor, params, body }) => setTemplate(context, actor, params.id, body),

  preview: ({ context, params, body }) => previewMessage(context, params.id, body),

  setReminder: ({ context, actor, params, body }) => setReminder(context, actor, params.id, body.reminderHours),

  sendAgain: ({ context, actor, session, params }) =>
    createOnce(context, actor, async (inner) => {
      await sendAgain(inner, actor, session, params.id)
      return getBookingPage(inner, session, params.id)
    }),
}
