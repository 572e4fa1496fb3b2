import { Children, type ReactNode, useDeferredValue, useRef } from 'react'
import { IconAction } from '../button/button.tsx'
import { IconChevronLeft, IconChevronRight } from '../icons/icons.tsx'
import styles from './carousel.module.css'

/** More than a view holds: these are drawn first, the others behind them once the screen stands. */
const DRAWN_FIRST = 6

type CarouselProps = {
  /** What it shows, for screen readers. */
  label: string
  /** Its items are skeletons. */
  busy?: boolean
  children: ReactNode
}

/** A row that scrolls by views: by the buttons, a swipe, or the keyboard. How many items a view holds is the stylesheet's. */
export function Carousel({ label, busy = false, children }: CarouselProps) {
  const track = useRef<HTMLUListElement>(null)
  const items = Children.toArray(children)
  const drawn = useDeferredValue(items.length, DRAWN_FIRST)
  const move = (views: number) => {
    const node = track.current
    node?.scrollBy({ left: views * node.clientWidth, behavior: 'auto' })
  }
  return (
    // A group: the panel around it is the landmark.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for forms
    <div role="group" className={styles.root} aria-roledescription="carousel" aria-label={label} aria-busy={busy}>
      {/* A part that scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul ref={track} className={styles.track} tabIndex={0} aria-label={label}>
        {items.slice(0, drawn)}
      </ul>
      <div className={styles.buttons}>
        <IconAction label={`Previous: ${label}`} icon={<IconChevronLeft />} onClick={() => move(-1)} />
        <IconAction label={`Next: ${label}`} icon={<IconChevronRight />} onClick={() => move(1)} />
      </div>
    </div>
  )
}

export function CarouselItem({ children }: { children: ReactNode }) {
  return <li className={styles.item}>{children}</li>
}
