import type { ComponentProps } from 'react'
import { Link } from '#web/lib/link.tsx'
import styles from './record-link.module.css'

/** Leads from a row to a record: its words look like those beside them until one points at them. */
export function RecordLink(props: Omit<ComponentProps<typeof Link>, 'className'>) {
  return <Link {...props} className={styles.link} />
}
