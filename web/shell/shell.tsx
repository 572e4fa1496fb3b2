import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { Confirmation } from '#web/components/confirmation/confirmation.tsx'
import { useAnnouncedTitle } from '#web/lib/document-title.ts'
import { IconAction } from '#web/ui/button/button.tsx'
import { IconMenu2 } from '#web/ui/icons/icons.tsx'
import { FailedDialog, lazyPart } from '#web/ui/lazy-part/lazy-part.tsx'
import { Announcement, SkipLink } from '#web/ui/visually-hidden/visually-hidden.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { Drawer } from './drawer.tsx'
import { HeaderSearch, type HeaderSearchProps } from './header-search.tsx'
import styles from './shell.module.css'
import { Sidebar, type SidebarProps } from './sidebar.tsx'

const DownloadAppDialog = lazyPart(
  async () => (await import('./download-app-dialog.tsx')).DownloadAppDialog,
  FailedDialog,
)
const ChangePasswordDialog = lazyPart(
  async () => (await import('./change-password-dialog.tsx')).ChangePasswordDialog,
  FailedDialog,
)
const CommandPalette = lazyPart(async () => (await import('./command-palette.tsx')).CommandPalette, FailedDialog)

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
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const closeDrawer = () => setDrawerOpen(false)
  const open = (name: 'download' | 'password') => () => {
    setDrawerOpen(false)
    setDialog(name)
  }
  const closeDialog = () => setDialog(undefined)

  // The keys work wherever the focus is, except while a dialog is open. A layout effect runs before the shell is seen.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Control' || event.key === 'Meta') CommandPalette.preload()
      const isCtrlK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (!isCtrlK || document.querySelector('dialog[open]')) return
      event.preventDefault()
      setPaletteOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  // Loaded after the first screen, so that what is typed right after Ctrl-K is not lost.
  useEffect(() => {
    const timer = setTimeout(CommandPalette.preload, 1000)
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
      <TitleAnnouncement />
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
        <DownloadAppDialog
          productName={sidebar.productName}
          appStoreUrl={appStoreUrl}
          playStoreUrl={playStoreUrl}
          onClose={closeDialog}
        />
      )}
      {isPaletteOpen && <CommandPalette entries={sidebar.entries} onClose={() => setPaletteOpen(false)} />}
      <Confirmation email={sidebar.person?.email} />
      {dialog === 'password' && <ChangePasswordDialog email={sidebar.person?.email ?? ''} onClose={closeDialog} />}
    </>
  )
}

/** Only this is drawn again with each new title, not the frame. */
function TitleAnnouncement() {
  return <Announcement>{useAnnouncedTitle()}</Announcement>
}
