import { staffLabels } from '#contract/field-labels.ts'
import { toPageLevels } from '#contract/pages.ts'
import type { Staff } from '#contract/staff.ts'
import { toTexts } from '#web/lib/fields.ts'

export const labels = { ...staffLabels, auth_page: 'Page access', locations: 'Locations' } as const

/** `auth_page` includes the levels, so that both are compared and chosen together; `locations` is null for all. */
export function toStaffValues(staff: Staff | undefined) {
  return {
    ...toTexts(staffLabels, staff),
    auth_page: toPageLevels(staff ?? { auth_page: [] }),
    locations: staff?.locations ?? null,
  }
}
