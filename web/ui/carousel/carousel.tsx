import { Children, type ReactNode, useDeferredValue, useRef } from 'react'
import { IconAction } from '../button/button.tsx'
import { IconChevronLeft, IconChevronRight } from '../icons/icons.tsx'
import styles from './carousel.module.css'

/** Number of items rendered first, more than fit into the view; the others follow in a deferred render. */
const DRAWN_FIRST = 6

type CarouselProps = {
  /** What it shows, for screen readers. */
  label: string
  /** The items are skeletons. */
  busy?: boolean
  children: ReactNode
}

/** A row that scrolls with buttons, a swipe or the keyboard. The stylesheet sets how many items are in view. */
export function Carousel({ label, busy = false, children }: CarouselProps) {
  const track = useRef<HTMLUListElement>(null)
  const items = Children.toArray(children)
  const drawn = useDeferredValue(items.length, DRAWN_FIRST)
  const move = (views: number) => {
    const node = track.current
    node?.scrollBy({ left: views * node.clientWidth, behavior: 'auto' })
  }
  return (
    // Only a group: the panel around it is the landmark.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for forms
    <div role="group" className={styles.root} aria-roledescription="carousel" aria-label={label} aria-busy={busy}>
      {/* A scrollable element must be reachable by keyboard. */}
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
