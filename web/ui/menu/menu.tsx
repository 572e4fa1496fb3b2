import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button, IconAction } from '../button/button.tsx'
import { findLandmark } from '../dialog/overlay-root.ts'
import { IconChevronDown, IconDots } from '../icons/icons.tsx'
import styles from './menu.module.css'

type MenuItem = {
  label: string
  icon?: ReactNode
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
  /** Why this cannot be chosen: shown beneath its label. */
  unavailable?: string | undefined
}

type ListProps = { label: string; id: string; items: readonly MenuItem[]; anchor: HTMLElement; onClose: () => void }

const GAP = 4
const EDGE = 8
const ANCHOR_SLACK = 4

function toPosition(anchor: HTMLElement, list: HTMLElement) {
  const box = anchor.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = list
  const left = Math.max(EDGE, Math.min(box.right - width, window.innerWidth - width - EDGE))
  const below = box.bottom + GAP + height + EDGE <= window.innerHeight
  return { left, top: below ? box.bottom + GAP : Math.max(EDGE, box.top - GAP - height) }
}

/** The open list. Arrow keys, Home, End and letters move the focus; Escape and Tab close it and return the focus. */
function MenuList({ label, id, items, anchor, onClose }: ListProps) {
  const list = useRef<HTMLDivElement>(null)

  // Positions the list once it can be measured, and closes it when the page moves beneath it.
  useEffect(() => {
    const node = list.current
    if (!node) return
    const { left, top } = toPosition(anchor, node)
    Object.assign(node.style, { left: `${left}px`, top: `${top}px`, visibility: 'visible' })
    node.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true })
    const onPointerDown = (event: PointerEvent) => {
      const outside = event.target instanceof Node && !node.contains(event.target) && !anchor.contains(event.target)
      if (outside) onClose()
    }
    const { top: anchorTop } = anchor.getBoundingClientRect()
    const onScroll = () => {
      // The list itself may scroll, or a scroll of the page that began before may end.
      if (Math.abs(anchor.getBoundingClientRect().top - anchorTop) < ANCHOR_SLACK) return
      if (node.contains(document.activeElement)) anchor.focus({ preventScroll: true })
      onClose()
    }
    document.addEventListener('pointerdown', onPointerDown, true)
    window.addEventListener('scroll', onScroll, true)
    window.addEventListener('resize', onClose)
    return () => {
      document.removeEventListener('pointerdown', onPointerDown, true)
      window.removeEventListener('scroll', onScroll, true)
      window.removeEventListener('resize', onClose)
    }
  }, [anchor, onClose])

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')]
    const at = entries.indexOf(document.activeElement as HTMLElement) // the cast is safe: any other element gives -1
    const byLetter = () => {
      const after = [...entries.slice(at + 1), ...entries.slice(0, at + 1)]
      return after.find((entry) => entry.textContent.trim().toLowerCase().startsWith(event.key.toLowerCase()))
    }
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      event.stopPropagation()
      onClose()
      anchor.focus()
      return
    }
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key]
    const target = next === undefined ? event.key.length === 1 && byLetter() : entries.at(next % entries.length)
    if (target) {
      event.preventDefault()
      target.focus()
    }
  }

  return createPortal(
    <div ref={list} id={id} role="menu" aria-label={label} className={styles.list} tabIndex={-1} onKeyDown={onKeyDown}>
      {items.map((item) => (
        <Fragment key={item.label}>
          {item.danger && items.length > 1 && <hr className={styles.line} />}
          <button
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={styles.item}
            data-danger={item.danger || undefined}
            aria-disabled={item.disabled || item.unavailable !== undefined || undefined}
            onClick={() => {
              if (item.disabled || item.unavailable !== undefined) return
              onClose()
              anchor.focus()
              item.onSelect()
            }}
          >
            {item.icon}
            <span>
              {item.label}
              {item.unavailable !== undefined && <small className={styles.reason}>{item.unavailable}</small>}
            </span>
          </button>
        </Fragment>
      ))}
    </div>,
    findLandmark(anchor),
  )
}

function useMenu() {
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null)
  const [open, setOpen] = useState(false)
  const id = useId()
  const [close] = useState(() => () => setOpen(false))
  return {
    anchor,
    id,
    open,
    close,
    triggerProps: {
      ref: setAnchor,
      'aria-haspopup': 'menu' as const,
      'aria-expanded': open,
      ...(open ? { 'aria-controls': id } : {}),
      onClick: () => setOpen(!open),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'ArrowDown' && !open) {
          event.preventDefault()
          setOpen(true)
        }
      },
    },
  }
}

type MenuProps = { label: string; items: readonly MenuItem[] }

/** Three dots that open a list of actions. The label says whose: 'Actions for Seaside pod'. */
export function Menu({ label, items }: MenuProps) {
  const { anchor, id, open, close, triggerProps } = useMenu()
  return (
    <>
      <IconAction label={label} icon={<IconDots />} {...triggerProps} />
      {open && anchor && <MenuList id={id} label={label} items={items} anchor={anchor} onClose={close} />}
    </>
  )
}

type MenuButtonProps = {
  children: string
  items: readonly MenuItem[]
  icon?: ReactNode
}

/** A text button that opens a list of choices, such as two downloads. */
export function MenuButton({ children, items, icon }: MenuButtonProps) {
  const { anchor, id, open, close, triggerProps } = useMenu()
  return (
    <>
      <Button icon={icon} trailingIcon={<IconChevronDown size={16} />} {...triggerProps}>
        {children}
      </Button>
      {open && anchor && <MenuList id={id} label={children} items={items} anchor={anchor} onClose={close} />}
    </>
  )
}
