import type { FirstStaff } from '#server/start/first-staff.ts'
import { withPortal } from './portal-browser.ts'
import { measureChanges } from './portal-changes.ts'
import { measurePodList } from './portal-images.ts'
import { measureInput } from './portal-input.ts'
import { measureReloads } from './portal-reload.ts'
import { measureScreens } from './portal-screens.ts'
import type { Row } from './report.ts'

/**
 * What the portal costs in the browser, beside budgets rather than limits: what is loaded, how much scripting answers a
 * hand, and how soon a screen stands. The list of pods comes last, as it makes pods of its own.
 */
export function measurePortal(url: string, staff: FirstStaff): Promise<Row[]> {
  return withPortal(url, staff, async (portal) => [
    ...(await measureScreens(portal)),
    ...(await measureReloads(portal)),
    ...(await measureInput(portal)),
    ...(await measureChanges(portal)),
    ...(await measurePodList(portal)),
  ])
}
