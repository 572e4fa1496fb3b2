import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { Confirmation } from '#web/components/confirmation/confirmation.tsx'
import { IconAction } from '#web/ui/button/button.tsx'
import { IconMenu2 } from '#web/ui/icons/icons.tsx'
import { SkipLink } from '#web/ui/visually-hidden/visually-hidden.tsx'
import type { CommandPalette } from './command-palette.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { Drawer } from './drawer.tsx'
import { HeaderSearch, type HeaderSearchProps } from './header-search.tsx'
import styles from './shell.module.css'
import { Sidebar, type SidebarProps } from './sidebar.tsx'

const DownloadAppDialog = lazy(() =>
  import('./download-app-dialog.tsx').then((module) => ({ default: module.DownloadAppDialog })),
)

const ChangePasswordDialog = lazy(() =>
  import('./change-password-dialog.tsx').then((module) => ({ default: module.ChangePasswordDialog })),
)

let loadedPalette: typeof CommandPalette | undefined
async function loadPalette() {
  loadedPalette ??= (await import('./command-palette.tsx')).CommandPalette
  return { default: loadedPalette }
}
const preloadPalette = () => void loadPalette().catch(() => undefined)
const LazyPalette = lazy(loadPalette)

type ShellProps = Omit<SidebarProps, 'onChangePassword' | 'onDownloadApp' | 'onNavigate'> & {
  search: HeaderSearchProps
  /** The bar shown while the person views the portal as a colleague. */
  bar?: ReactNode
  /** The customer app's pages in the stores, if the operator has set them (rules §14.3). */
  appStoreUrl?: string | undefined
  playStoreUrl?: string | undefined
  children: ReactNode
}

/** The frame around every signed-in screen (rules §14.1). It fetches nothing. */
export function Shell({ search, bar, appStoreUrl, playStoreUrl, children, ...sidebar }: ShellProps) {
  const [drawerOpen, setDrawerOpen] = useState(false)
  const [dialog, setDialog] = useState<'download' | 'password'>()
  const [OpenPalette, setPalette] = useState<typeof LazyPalette | typeof CommandPalette>()
  const closeDrawer = () => setDrawerOpen(false)
  const open = (name: 'download' | 'password') => () => {
    setDrawerOpen(false)
    setDialog(name)
  }
  const closeDialog = () => setDialog(undefined)

  // The keys work wherever the focus is, except while a dialog is open. A layout effect runs before the shell is seen.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Control' || event.key === 'Meta') preloadPalette()
      const isCtrlK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (!isCtrlK || document.querySelector('dialog[open]')) return
      event.preventDefault()
      // A lazy component would be shown only after the next letters, even once it is loaded.
      setPalette(() => loadedPalette ?? LazyPalette)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  // Loaded after the first screen, so that what is typed right after Ctrl-K is not lost.
  useEffect(() => {
    const timer = setTimeout(preloadPalette, 1000)
    return () => clearTimeout(timer)
  }, [])

  const toDialogs = { onChangePassword: open('password'), onDownloadApp: open('download') }

  return (
    <>
      <SkipLink />
      <div className={styles.shell}>
        <aside className={styles.aside} aria-label="Sidebar">
          <Sidebar {...sidebar} {...toDialogs} />
        </aside>
        <div className={styles.column}>
          <div className={styles.top}>
            {bar}
            <header className={styles.header}>
              <IconAction
                label="Open menu"
                icon={<IconMenu2 size={20} />}
                className={styles.burger}
                aria-haspopup="dialog"
                onClick={() => setDrawerOpen(true)}
              />
              <p className={styles.welcome}>Welcome {sidebar.productName}</p>
              <HeaderSearch {...search} />
            </header>
          </div>
          <main id="main" className={styles.main} tabIndex={-1}>
            {children}
          </main>
        </div>
      </div>
      <ConnectionBanner />
      {drawerOpen && (
        <Drawer label="Menu" onClose={closeDrawer}>
          <Sidebar
            {...sidebar}
            {...toDialogs}
            onNavigate={closeDrawer}
            onSignOut={() => {
              // The question about unsaved input cannot be shown over the drawer.
              closeDrawer()
              sidebar.onSignOut()
            }}
          />
        </Drawer>
      )}
      {dialog === 'download' && (
        <Suspense fallback={null}>
          <DownloadAppDialog
            productName={sidebar.productName}
            appStoreUrl={appStoreUrl}
            playStoreUrl={playStoreUrl}
            onClose={closeDialog}
          />
        </Suspense>
      )}
      {OpenPalette && (
        <Suspense fallback={null}>
          <OpenPalette entries={sidebar.entries} onClose={() => setPalette(undefined)} />
        </Suspense>
      )}
      <Confirmation email={sidebar.person?.email} />
      {dialog === 'password' && (
        <Suspense fallback={null}>
          <ChangePasswordDialog email={sidebar.person?.email ?? ''} onClose={closeDialog} />
        </Suspense>
      )}
    </>
  )
}
