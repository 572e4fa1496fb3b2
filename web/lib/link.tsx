import { useLocation, useRouter } from '@tanstack/react-router'
import { type ComponentProps, type MouseEvent, useCallback } from 'react'

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { href: string }

/** A link within the portal: no reload, its screen loaded on hover or focus, and still an anchor to open in a new tab. */
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

/** One that follows a link here, rather than in a tab or window of its own. */
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
    /** The path and query that one came from. */
    from?: string
  }
}

type GoToOptions = {
  replace?: boolean
  /** What was typed here is saved by now: nothing is asked. */
  isSaved?: boolean
}

/** Goes to a path of the portal, with its query if it has one. */
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

/** The path and query that one came from by a link or button of the portal; undefined after a shared link. */
export function useCameFrom(): string | undefined {
  return useLocation({ select: (location) => location.state.from })
}

export function usePathname(): string {
  return useLocation({ select: (location) => location.pathname })
}
