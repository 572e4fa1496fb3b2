import { lazyRouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { canReload } from '#web/lib/can-reload.ts'

/**
 * Returns a screen whose code is loaded when it is first shown. If that fails, as after a new version has been
 * installed, the router reloads the page once; unless the page cannot be loaded either.
 */
export function lazyScreen<Name extends string>(
  load: () => Promise<Record<Name, () => ReactNode>>,
  name: NoInfer<Name>,
) {
  const loadOrFail = () =>
    load().catch(async (cause: unknown) => {
      if (!(await canReload())) throw new Error('The code of a screen could not be loaded', { cause })
      // The router reloads the page once for each message that begins like this, as those of missing styles do not.
      throw new Error(`Failed to fetch dynamically imported module: ${String(cause)}`, { cause })
    })
  return lazyRouteComponent(loadOrFail, name)
}
