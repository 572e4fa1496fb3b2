import type { ComponentProps } from 'react'
import { Link } from '#web/lib/link.tsx'
import styles from './record-link.module.css'

/** Link from a row to a record; looks like the text around it until it is hovered. */
export function RecordLink(props: Omit<ComponentProps<typeof Link>, 'className'>) {
  return <Link {...props} className={styles.link} />
}
