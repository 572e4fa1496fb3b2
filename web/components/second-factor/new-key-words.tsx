import type { NewKey } from '#contract/second-factors.ts'
import { CopyText } from '#web/ui/copy-text/copy-text.tsx'
import { QrCode } from '#web/ui/qr-code/qr-code.tsx'
import styles from './second-factor.module.css'

/** Shows a new key as a QR code to scan and as text to type. */
export function NewKeyWords({ newKey }: { newKey: NewKey }) {
  return (
    <>
      <div className={styles.code}>
        <QrCode text={newKey.uri} label="QR code of the new key" size={192} />
      </div>
      <div className={styles.words}>
        <p>Without a camera, type this key into the app instead:</p>
        <CopyText label="Key" text={newKey.key.replaceAll(/(.{4})(?!$)/g, '$1 ')} />
      </div>
    </>
  )
}
