import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import styles from './tooltip-layer.module.css'

/** `left` is the middle of the target. */
type Shown = { target: HTMLElement; text: string; left: number; top: number; below: boolean; hidden: boolean }

const HOVER_DELAY_MS = 350
const ROOM_ABOVE = 44
const EDGE = 8

function toShown(target: HTMLElement): Shown {
  const box = target.getBoundingClientRect()
  const below = box.top < ROOM_ABOVE
  const text = target.dataset.tooltip ?? ''
  return {
    target,
    text,
    left: box.left + box.width / 2,
    top: below ? box.bottom + 6 : box.top - 6,
    below,
    // The target may have lost its text since the pointer came.
    hidden: text === '',
  }
}

function isIn(node: Element | null, target: EventTarget | null): boolean {
  return target instanceof Node && node?.contains(target) === true
}

function findTarget(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tooltip]') : null
}

/** Returns whether the pointer is over a control that the tooltip covers. */
function coversControl(tooltip: Element, { clientX, clientY }: { clientX: number; clientY: number }): boolean {
  const under = document.elementsFromPoint(clientX, clientY).find((element) => !tooltip.contains(element))
  return under?.closest('a, button, input, select, [data-tooltip]') != null
}

/**
 * One tooltip for the whole page: any element with `data-tooltip` shows that text on hover and on keyboard focus, and
 * Escape hides it. It stays while the pointer is on it, so that a magnified one can be read to its end, except where it
 * covers another control. It is hidden from screen readers, as it only repeats the accessible name or description.
 */
export function TooltipLayer() {
  const [shown, setShown] = useState<Shown | null>(null)
  const tooltip = useRef<HTMLDivElement>(null)

  // A popover, put on top again each time: a modal dialog covers everything that is not above it in the top layer.
  useLayoutEffect(() => {
    const node = tooltip.current
    node?.togglePopover(false)
    if (!node || !shown || shown.hidden) return
    node.togglePopover(true)
    const room = node.offsetWidth / 2 + EDGE
    node.style.left = `${Math.max(room, Math.min(shown.left, document.documentElement.clientWidth - room))}px`
    // What it says, such as why a button cannot be used yet, may change or end while it is shown.
    const observer = new MutationObserver(() => setShown(toShown(shown.target)))
    observer.observe(shown.target, { attributeFilter: ['data-tooltip'] })
    return () => observer.disconnect()
  }, [shown])

  // Listens on the document, because targets come and go with every table row.
  useEffect(() => {
    let timer: number | undefined
    const hide = () => {
      window.clearTimeout(timer)
      // Only hidden: removing it would take as long as rendering a few fields, at the very click that opens a dialog.
      setShown((last) => (last && !last.hidden ? { ...last, hidden: true } : last))
    }
    const show = (target: HTMLElement, delay: number) => {
      window.clearTimeout(timer)
      timer = window.setTimeout(() => target.isConnected && setShown(toShown(target)), delay)
    }
    const onOver = (event: PointerEvent) => {
      if (isIn(tooltip.current, event.target)) return window.clearTimeout(timer)
      const target = event.pointerType === 'touch' ? null : findTarget(event)
      if (target) show(target, HOVER_DELAY_MS)
      else hide()
    }
    const onFocus = (event: FocusEvent) => {
      const target = findTarget(event)
      if (target?.matches(':focus-visible')) show(target, 0)
      else hide()
    }
    // Touch has no hover: a tap on an unavailable action shows why it is unavailable.
    const onClick = (event: MouseEvent) => {
      const target = findTarget(event)
      if (target?.matches('[aria-disabled="true"]:not([aria-busy])')) show(target, 0)
    }
    const onMove = (event: PointerEvent) => {
      const node = tooltip.current
      if (node && isIn(node, event.target) && coversControl(node, event)) hide()
    }
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide()
    const listeners = [
      ['pointerover', onOver],
      ['pointermove', onMove],
      ['pointerdown', hide],
      ['focusin', onFocus],
      ['focusout', hide],
      ['click', onClick],
      ['keydown', onKey],
      ['scroll', hide],
    ] as const
    for (const [name, listener] of listeners) document.addEventListener(name, listener as EventListener, true) // cast: each handles the event of its name
    return () => {
      window.clearTimeout(timer)
      for (const [name, listener] of listeners) document.removeEventListener(name, listener as EventListener, true) // cast: as above
    }
  }, [])

  if (!shown) return null
  return (
    <div
      ref={tooltip}
      popover="manual"
      className={styles.tooltip}
      data-below={shown.below || undefined}
      style={{ left: shown.left, top: shown.top }}
      aria-hidden
    >
      {shown.text}
    </div>
  )
}
