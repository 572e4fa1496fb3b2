import { expect, it } from 'vitest'
import { z } from 'zod/mini'
import { endpoints } from './endpoints.ts'

const { apiKeys, auth, bookingActions, bookings, closures, companies, features, hours, locations } = endpoints
const { messages, passkeys, pods, rolePresets, staff, users, webhooks } = endpoints

const exception = (label: string) => ({ exceptions: [{ label }] })

/** Texts by how many characters they may have. */
const texts: [most: number, body: z.core.$ZodType, path: string, toBody?: (text: string) => object][] = [
  [20, locations.create.body, 'zip'],
  [40, staff.create.body, 'phoneNumber'],
  [40, users.update.body, 'mobile'],
  [40, companies.create.body, 'phone'],
  [40, companies.create.body, 'vatNumber'],
  [60, locations.create.body, 'country_code'],
  [60, passkeys.update.body, 'name'],
  [100, staff.create.body, 'firstname'],
  [100, staff.create.body, 'role'],
  [100, rolePresets.create.body, 'name'],
  [100, apiKeys.create.body, 'name'],
  [100, bookings.create.body, 'bookingPurpose'],
  [100, bookings.createFor.body, 'bookingPurpose'],
  [100, features.create.body, 'icon'],
  [100, companies.create.body, 'costCentre'],
  [100, hours.update.body, 'exceptions.0.label', exception],
  [100, bookingActions.setPolicy.body, 'cancelReasons.0', (text) => ({ cancelReasons: [text] })],
  [100, pods.create.body, 'timeSlot'],
  [200, pods.create.body, 'title'],
  [200, users.update.body, 'firstname'],
  [200, closures.create.body, 'reason'],
  [200, messages.setTemplate.body, 'subject'],
  [254, staff.create.body, 'email'],
  [254, companies.create.body, 'email'],
  [500, closures.create.body, 'repeats'],
  [500, companies.create.body, 'billingAddress'],
  [500, pods.create.body, 'password'],
  [500, bookingActions.cancel.body, 'reason'],
  [500, bookings.createFor.body, 'overrideReason'],
  [500, users.block.body, 'reason'],
  [1_000, auth.login.body, 'password'],
  [1_000, pods.create.body, 'tags'],
  [
    1_000,
    webhooks.create.body,
    'url',
    (text) => ({ url: `https://a.example/${text.slice('https://a.example/'.length)}` }),
  ],
  [2_000, bookingActions.checkInByCode.body, 'code'],
  [2_000, pods.create.body, 'direction'],
  [2_000, users.setNote.body, 'note'],
  [2_000, bookings.createFor.body, 'note'],
  [5_000, messages.setTemplate.body, 'body'],
  [10_000, pods.create.body, 'description'],
]

it.each(texts)(
  'a text may have at most %i characters: %#',
  (most, body, path, toBody = (text) => ({ [path]: text })) => {
    const refusals = (length: number) =>
      z
        .safeParse(body, toBody('x'.repeat(length)))
        .error?.issues.filter((issue) => issue.path.join('.') === path && issue.message.includes('may have at most'))
        .map(({ message }) => message.replace(/.* (?=may have)/, '')) ?? []
    expect(refusals(most)).toEqual([])
    expect(refusals(most + 1)).toEqual([`may have at most ${most} characters`])
  },
)
