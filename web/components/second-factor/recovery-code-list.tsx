import { saveFile } from '#web/api/download.ts'
import { settings } from '#web/lib/settings.ts'
import { Button } from '#web/ui/button/button.tsx'
import { CopyButton } from '#web/ui/copy-text/copy-text.tsx'
import { IconDownload, IconPrinter } from '#web/ui/icons/icons.tsx'
import styles from './second-factor.module.css'

/** Recovery codes. They are shown only once: people who lose them have to make new ones. */
export function RecoveryCodeList({ codes }: { codes: readonly string[] }) {
  const text = [`${settings.productName} recovery codes. Each works once.`, '', ...codes, ''].join('\n')

  return (
    <div className={styles.words}>
      <p>
        Each of these signs you in once when your phone is not at hand. They are shown only now: keep them where you
        keep passwords, and not on that phone alone.
      </p>
      <div className={styles.printed}>
        <h3 className={styles.printedTitle}>{settings.productName} recovery codes</h3>
        <ol className={styles.recoveryCodes} aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </div>
      <div className={styles.actions}>
        <CopyButton text={text} />
        <Button
          icon={<IconDownload size={16} />}
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt')}
        >
          Download
        </Button>
        <Button icon={<IconPrinter size={16} />} onClick={() => window.print()}>
          Print
        </Button>
      </div>
    </div>
  )
}
