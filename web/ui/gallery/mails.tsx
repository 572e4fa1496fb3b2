import { renderMail } from '#server/modules/mail/mail-template.ts'
import {
  sayInvitation,
  sayNewSignIn,
  sayPasswordChanged,
  sayPasswordLink,
  saySecondFactor,
} from '#server/modules/mail/mail-texts.ts'
import { Panel } from '../panel/panel.tsx'
import styles from './gallery.module.css'

const about = {
  name: 'Lerato',
  email: 'lerato.mokoena@example.com',
  productName: 'Podkeeper',
  portalUrl: 'https://pods.example.com',
}
const when = { at: '23 November 2026 at 10:45 (Africa/Johannesburg)', from: '203.0.113.9' }

const link = `${about.portalUrl}/choose-password#made-when-it-is-sent`

const mails = {
  Invitation: sayInvitation(about, { invitedBy: 'Thandi Nkosi', link }),
  'Password link': sayPasswordLink(about, { ...when, link, askedBy: undefined }),
  'New password, by a colleague': sayPasswordChanged(about, { ...when, changedBy: 'Thandi Nkosi', from: undefined }),
  'New password, one’s own': sayPasswordChanged(about, { ...when, changedBy: undefined }),
  'New sign-in': sayNewSignIn(about, { ...when, device: 'Chrome on Windows' }),
  'Second factor': saySecondFactor(about, { news: 'recovery-code', at: when.at }),
}

/** Shows what mails look like, rendered with the server's template. */
export function MailsGallery() {
  return Object.entries(mails).map(([title, content]) => {
    const { html, text } = renderMail(content, about.productName)
    return (
      <Panel key={title} title={`Mail: ${title}`}>
        <div className={styles.stack}>
          <iframe title={title} sandbox="" srcDoc={html} width="100%" height="620" />
          <pre style={{ whiteSpace: 'pre-wrap' }}>{text}</pre>
        </div>
      </Panel>
    )
  })
}
