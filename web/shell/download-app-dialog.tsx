import { useSyncExternalStore } from 'react'
import { Button, LinkButton } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { IconDownload, IconExternalLink } from '#web/ui/icons/icons.tsx'
import { QrCode } from '#web/ui/qr-code/qr-code.tsx'
import { showFailure, showSuccess } from '#web/ui/toasts/toasts.ts'
import styles from './download-app-dialog.module.css'
import { findInstallPrompt, installApp, subscribeToInstallPrompt } from './install-prompt.ts'

type DownloadAppDialogProps = {
  productName: string
  appStoreUrl?: string | undefined
  playStoreUrl?: string | undefined
  onClose: () => void
}

function isInstalled(): boolean {
  return window.matchMedia('(display-mode: standalone)').matches
}

/** Returns how to install the portal by hand, for browsers that make no offer. */
function toAdvice({ userAgent, maxTouchPoints }: Navigator): string {
  // An iPad calls itself a Mac, which has no touch screen.
  const isTablet = userAgent.includes('Macintosh') && maxTouchPoints > 0
  if (isTablet || /iPhone|iPad/.test(userAgent)) return 'In Safari, choose Share, then “Add to Home Screen”.'
  if (/Android/.test(userAgent)) return 'Open the browser’s menu and choose “Add to Home screen”.'
  if (/Firefox/.test(userAgent)) return 'Open this portal in Chrome, Edge or Safari to install it; Firefox cannot.'
  if (/Macintosh.*Safari/.test(userAgent) && !userAgent.includes('Chrome')) return 'Choose File, then “Add to Dock”.'
  return 'Choose the install icon in the address bar, or “Install” in the browser’s menu.'
}

function InstallPortal({ productName, onClose }: { productName: string; onClose: () => void }) {
  const offer = useSyncExternalStore(subscribeToInstallPrompt, findInstallPrompt)
  async function install() {
    try {
      if (!(await installApp())) return
      showSuccess('App installed')
      onClose()
    } catch {
      showFailure('The app could not be installed. Please try the browser’s own menu.')
    }
  }
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>This portal as an app</h3>
      {isInstalled() ? (
        <p className={styles.text}>{productName} is installed: you are using it now.</p>
      ) : (
        <>
          <p className={styles.text}>{offer ? 'In a window of its own, one click away.' : toAdvice(navigator)}</p>
          {offer && (
            <Button variant="primary" icon={<IconDownload size={16} />} onClick={() => void install()}>
              Install {productName}
            </Button>
          )}
        </>
      )}
    </section>
  )
}

function Store({ name, url }: { name: string; url: string }) {
  return (
    <li className={styles.store}>
      <QrCode text={url} label={`QR code to ${name}`} size={144} />
      <LinkButton href={url} target="_blank" rel="noreferrer" size="small" icon={<IconExternalLink size={14} />}>
        {name}
      </LinkButton>
    </li>
  )
}

/** Offers to install the portal as an app, and links to the customer app in the stores (rules §14.3). */
export function DownloadAppDialog({ productName, appStoreUrl, playStoreUrl, onClose }: DownloadAppDialogProps) {
  return (
    <Dialog title="Download App" width={500} compact onClose={onClose}>
      <InstallPortal productName={productName} onClose={onClose} />
      {(appStoreUrl || playStoreUrl) && (
        <section className={styles.section}>
          <h3 className={styles.heading}>The app for customers</h3>
          <p className={styles.text}>Point a phone’s camera at a code to open its store.</p>
          <ul className={styles.stores}>
            {appStoreUrl && <Store name="App Store" url={appStoreUrl} />}
            {playStoreUrl && <Store name="Google Play" url={playStoreUrl} />}
          </ul>
        </section>
      )}
    </Dialog>
  )
}
