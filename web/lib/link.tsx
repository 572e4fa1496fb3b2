import { useLocation, useRouter } from '@tanstack/react-router'
import { type ComponentProps, type MouseEvent, useCallback } from 'react'

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { href: string }

/** A link within the portal. Does not reload the page, and preloads its screen on hover or focus. */
export function Link({ href, onClick, onPointerEnter, onFocus, children, ...rest }: LinkProps) {
  const router = useRouter()
  const goTo = useGoTo()
  const preload = () => void router.preloadRoute({ to: href.split('?')[0] ?? href }).catch(() => undefined)
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event)
        if (!isPlainClick(event) || (rest.target ?? '_self') !== '_self') return
        event.preventDefault()
        goTo(href)
      }}
      onPointerEnter={(event) => {
        onPointerEnter?.(event)
        preload()
      }}
      onFocus={(event) => {
        onFocus?.(event)
        preload()
      }}
    >
      {children}
    </a>
  )
}

/** Returns whether a click should follow a link in this tab, and not open a new tab or window. */
export function isPlainClick(event: MouseEvent): boolean {
  return (
    !event.defaultPrevented &&
    event.button === 0 &&
    !event.metaKey &&
    !event.ctrlKey &&
    !event.shiftKey &&
    !event.altKey
  )
}

declare module '@tanstack/history' {
  interface HistoryState {
    /** Path and query of the previous screen. */
    from?: string
    /** At the login: the path and query to open after signing in. */
    returnTo?: string | undefined
  }
}

type GoToOptions = {
  replace?: boolean
  /** True when the current screen's input is saved, so that leaving needs no question. */
  isSaved?: boolean
}

/** Returns a function that navigates to a path of the portal, with or without a query. */
export function useGoTo(): (href: string, options?: GoToOptions) => void {
  const router = useRouter()
  return useCallback(
    (href, { replace = false, isSaved = false } = {}) =>
      void router.navigate({
        href,
        replace,
        ignoreBlocker: isSaved,
        state: { from: router.latestLocation.href },
      }),
    [router],
  )
}

/** Returns path and query of the screen whose link or button led here; undefined after opening a shared link. */
export function useCameFrom(): string | undefined {
  return useLocation({ select: (location) => location.state.from })
}

export function usePathname(): string {
  return useLocation({ select: (location) => location.pathname })
}
