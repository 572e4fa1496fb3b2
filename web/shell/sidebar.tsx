import { Logo } from '#web/components/logo.tsx'
import { Link } from '#web/lib/link.tsx'
import type { MenuEntry } from '#web/pages.tsx'
import { ACCOUNT_PATH } from '#web/paths.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ColorSchemeToggle } from '#web/ui/color-scheme-toggle/color-scheme-toggle.tsx'
import { IconDeviceMobileDown, IconLogout } from '#web/ui/icons/icons.tsx'
import { VisuallyHidden } from '#web/ui/visually-hidden/visually-hidden.tsx'
import styles from './sidebar.module.css'

export type SidebarProps = {
  productName: string
  /** The screens that this person may see, in menu order. */
  entries: readonly MenuEntry[]
  currentPath: string
  /** The person whose portal is shown, in small text above the buttons. */
  person?: { name: string; email: string } | undefined
  /** Locations of a person who is limited to some: a short text, and all names. */
  locations?: { words: string; names: string } | undefined
  /** Whether the person views a colleague's portal, which hides the links to the account. */
  isView?: boolean
  onChangePassword: () => void
  onDownloadApp: () => void
  onSignOut: () => void
  /** Called when a link is clicked; the drawer closes then. */
  onNavigate?: () => void
}

/** The logo, the menu and, at the foot, what concerns the person's own account. */
export function Sidebar(props: SidebarProps) {
  const { productName, entries, currentPath, person, locations, isView } = props
  const { onChangePassword, onDownloadApp, onSignOut, onNavigate } = props
  return (
    <div className={styles.sidebar}>
      <Link href="/" className={styles.logo} onClick={onNavigate}>
        <Logo productName={productName} />
        <VisuallyHidden>home</VisuallyHidden>
      </Link>
      <nav className={styles.nav} aria-label="Main">
        <ul className={styles.list}>
          {entries.map(({ path, name, Icon }) => (
            <li key={path}>
              <Link
                href={path}
                className={styles.entry}
                aria-current={path === currentPath ? 'page' : undefined}
                onClick={onNavigate}
              >
                <Icon size={18} />
                <span className={styles.name}>{name}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.foot}>
        <div className={styles.personRow}>
          <div className={styles.person}>
            {person && (
              <>
                <span className={styles.personName} title={person.name}>
                  {person.name}
                </span>
                <span className={styles.personEmail} title={person.email}>
                  {person.email}
                </span>
              </>
            )}
            {locations && (
              <span className={styles.personEmail} title={locations.names}>
                {locations.words}
              </span>
            )}
          </div>
          <ColorSchemeToggle />
        </div>
        {!isView && (
          <div className={styles.ownRow}>
            <Link
              href={ACCOUNT_PATH}
              className={styles.own}
              aria-current={currentPath === ACCOUNT_PATH ? 'page' : undefined}
              onClick={onNavigate}
            >
              Your account
            </Link>
            <button type="button" className={styles.own} aria-haspopup="dialog" onClick={onChangePassword}>
              Change password
            </button>
          </div>
        )}
        <Button fullWidth icon={<IconDeviceMobileDown size={16} />} onClick={onDownloadApp}>
          Download App
        </Button>
        <Button fullWidth icon={<IconLogout size={16} />} onClick={onSignOut}>
          Sign Out
        </Button>
      </div>
    </div>
  )
}
