import { Link } from '#web/lib/link.tsx'
import styles from './link-tabs.module.css'

type LinkTabsProps = {
  label: string
  tabs: readonly { href: string; label: string; isCurrent: boolean }[]
}

/** Tabs for the lists of one screen; each is a link to an address of its own. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ href, label: name, isCurrent }) => (
        <Link key={href} href={href} className={styles.tab ?? ''} aria-current={isCurrent ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  )
}
