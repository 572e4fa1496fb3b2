import { withPortal } from './portal-browser.ts'
import { measureChanges } from './portal-changes.ts'
import { measurePodList } from './portal-images.ts'
import { measureInput } from './portal-input.ts'
import { measureReloads } from './portal-reload.ts'
import { measureScreens } from './portal-screens.ts'
import type { Row } from './report.ts'

/**
 * Measures the portal in the browser against budgets: how much is loaded, how much scripting an input causes, and how
 * soon a screen is shown. The list of pods comes last, because it creates pods.
 */
export function measurePortal(url: string): Promise<Row[]> {
  return withPortal(url, async (portal) => [
    ...(await measureScreens(portal)),
    ...(await measureReloads(portal)),
    ...(await measureInput(portal)),
    ...(await measureChanges(portal)),
    ...(await measurePodList(portal)),
  ])
}
