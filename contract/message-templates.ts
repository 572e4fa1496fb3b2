/** Messages to customers about their bookings, written by staff with placeholders such as {pod}. */

export const messageKinds = ['booked', 'moved', 'cancelled', 'reminder'] as const
export type MessageKind = (typeof messageKinds)[number]

export const MAX_REMINDER_HOURS = 168

/** Descriptions of the placeholders, as shown to staff. */
export const placeholders = {
  name: 'The customer’s first name, or whom to ask for at a company, or else the company’s name',
  pod: 'The pod',
  location: 'The location',
  address: 'The address of the location',
  date: 'The day, such as Monday, 23 November 2026',
  start: 'The start, such as 9:00 AM',
  end: 'The end',
  before: 'What a moved booking was before: day, time and pod',
  product: 'The name of the platform',
} as const
export type Placeholder = keyof typeof placeholders

/** A brace alone is one too: what is left of a placeholder whose other brace is missing. */
const PLACEHOLDER = /\{([^{}]*)\}|[{}]/g

/** Returns what is wrong with a text that has an unknown placeholder, or undefined when nothing is. */
export function findPlaceholderProblem(text: string): string | undefined {
  const unknown = [...text.matchAll(PLACEHOLDER)].find(([, name = '']) => !Object.hasOwn(placeholders, name))?.[0]
  if (unknown === undefined) return undefined
  const known = Object.keys(placeholders).map((name) => `{${name}}`)
  return `${unknown} is no placeholder. There are ${known.join(', ')}`
}

/** Fills in the placeholders in one pass, so that braces in a value stay as they are. */
export function fillPlaceholders(text: string, values: Readonly<Record<Placeholder, string>>): string {
  return text.replaceAll(PLACEHOLDER, (all, name = '') =>
    Object.hasOwn(values, name) ? values[name as Placeholder] : all,
  ) // a key of the record
}

export type TemplateTexts = { subject: string; body: string }

/** The most characters of each text. */
export const maxLengths = { subject: 200, body: 5000 } as const satisfies Record<keyof TemplateTexts, number>

export const defaultTexts: Readonly<Record<MessageKind, TemplateTexts>> = {
  booked: {
    subject: 'Booked: {pod} on {date}',
    body: `{pod} at {location} is yours on {date} from {start} to {end}.

Show the code below when you arrive. The attached file puts the booking into your calendar.`,
  },
  moved: {
    subject: 'Changed: {pod} on {date}',
    body: `Your booking has changed. It was {before}, and is now {date} from {start} to {end} in {pod} at {location}.

Show the code below when you arrive. The attached file brings your calendar up to date.`,
  },
  cancelled: {
    subject: 'Cancelled: {pod} on {date}',
    body: `Your booking of {pod} at {location} on {date} from {start} to {end} was cancelled.

The attached file takes it out of your calendar.`,
  },
  reminder: {
    subject: 'See you at {location}: {date}, {start}',
    body: `We expect you in {pod} at {location} on {date} from {start} to {end}.

Show the code below when you arrive.`,
  },
}
