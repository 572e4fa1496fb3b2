import type { ComponentProps } from 'react'
import { Link } from '#web/lib/link.tsx'
import { toBreakable } from '#web/ui/data-table/data-table-parts.tsx'
import styles from './record-link.module.css'

/** Link from a row to a record; looks like the text around it until it is hovered. */
export function RecordLink({ children, ...link }: Omit<ComponentProps<typeof Link>, 'className'>) {
  return (
    <Link {...link} className={styles.link}>
      {toBreakable(children)}
    </Link>
  )
}
