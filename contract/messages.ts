import * as z from 'zod/mini'
import { bookingPageResponse } from './booking-actions.ts'
import { endpoint } from './endpoint.ts'
import { numberLikeOrNull, requiredText, version } from './fields.ts'
import { findPlaceholderProblem, MAX_REMINDER_HOURS, maxLengths, messageKinds } from './message-templates.ts'
import { routes } from './routes.ts'

const TemplateSchema = z.object({
  _id: z.string(),
  kind: z.enum(messageKinds),
  isEnabled: z.boolean(),
  subject: z.string(),
  body: z.string(),
  /** Whether the texts are the product's defaults. */
  isDefault: z.boolean(),
  version,
})
export type Template = z.infer<typeof TemplateSchema>

const TemplatesSchema = z.object({
  templates: z.array(TemplateSchema),
  locations: z.array(
    z.object({
      _id: z.string(),
      name: z.string(),
      city: z.string(),
      /** Hours before the start; null when no reminder is sent. */
      reminderHours: z.nullable(z.int()),
      version,
    }),
  ),
  /** Whether the server can send mails. */
  isMailSet: z.boolean(),
})
export type Templates = z.infer<typeof TemplatesSchema>

function templateText(label: string, max: number) {
  return requiredText(label, max).check(
    z.refine((text) => findPlaceholderProblem(text) === undefined, {
      error: ({ input }) => findPlaceholderProblem(String(input)),
    }),
  )
}

const texts = { subject: templateText('Subject', maxLengths.subject), body: templateText('Text', maxLengths.body) }

export const TemplateEdit = z.object({
  isEnabled: z.optional(z.boolean('isEnabled must be true or false')),
  subject: z.optional(z.nullable(texts.subject)),
  body: z.optional(z.nullable(texts.body)),
})

const PreviewSchema = z.object({
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  /** Whether the preview shows a made-up booking, because there is no upcoming one. */
  isExample: z.boolean(),
})
export type MessagePreview = z.infer<typeof PreviewSchema>

const ReminderBody = z.object({
  reminderHours: numberLikeOrNull('Hours', { min: 1, max: MAX_REMINDER_HOURS, decimals: 0 }),
})

export const messageEndpoints = {
  kinds: endpoint(routes.messages.kinds, {
    response: z.object({ kinds: z.array(z.enum(messageKinds)), canSend: z.boolean() }),
  }),
  templates: endpoint(routes.messages.templates, { response: TemplatesSchema }),
  setTemplate: endpoint(routes.messages.setTemplate, { body: TemplateEdit, response: TemplatesSchema }),
  preview: endpoint(routes.messages.preview, { body: z.object(texts), response: PreviewSchema }),
  setReminder: endpoint(routes.messages.setReminder, { body: ReminderBody, response: TemplatesSchema }),
  setReminders: endpoint(routes.messages.setReminders, {
    ifMatch: 'unused',
    body: ReminderBody,
    response: TemplatesSchema,
  }),
  sendAgain: endpoint(routes.messages.sendAgain, bookingPageResponse),
}
