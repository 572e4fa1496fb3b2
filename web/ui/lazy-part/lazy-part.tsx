import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { showFailure } from '../toasts/toasts.ts'

export const NOT_LOADED =
  'This could not be loaded. Check your internet connection, or reload the page: a new version may just have been installed.'

/**
 * Returns a component whose code is loaded when it is first shown. If that fails, as after a new version has been
 * installed, `Failed` is shown instead and everything around it stays, with what was typed there; the next time it is
 * loaded again. React's `lazy` would take the whole screen away, and fail from then on.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Failed: ComponentType<P>,
  fallback: ReactNode = null,
) {
  let loaded: ComponentType<P> | undefined
  const preload = async () => {
    loaded ??= await load()
    return loaded
  }
  function Part(props: P) {
    const [Shown, setShown] = useState(() => loaded)
    useEffect(() => {
      let isLeft = false
      void preload()
        .catch(() => Failed)
        .then((part) => isLeft || setShown(() => part))
      return () => {
        isLeft = true
      }
    }, [])
    return Shown ? <Shown {...props} /> : fallback
  }
  return Object.assign(Part, { preload: () => void preload().catch(() => undefined) })
}

/** Stands in for a dialog whose code could not be loaded: says so, and closes it. */
export function FailedDialog({ onClose }: { onClose: () => void }) {
  useEffect(() => {
    showFailure(NOT_LOADED)
    onClose()
  }, [onClose])
  return null
}

/** Stands in for a part within a screen. */
export function FailedPart() {
  return <p role="alert">{NOT_LOADED}</p>
}
