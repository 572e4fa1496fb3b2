import { useQuery } from '@tanstack/react-query'
import type { WholeMail } from '#contract/mails.ts'
import { apiQuery } from '#web/api/query.ts'
import { CustomerLink } from '#web/components/customer-link.tsx'
import { MailBody } from '#web/components/mail-body.tsx'
import { stateLabels, stateTones } from '#web/components/mail-words.ts'
import { Unloaded } from '#web/components/unloaded.tsx'
import { toMomentText } from '#web/lib/business-day.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Fact, Facts } from '#web/ui/fact/fact.tsx'
import { SkeletonLines } from '#web/ui/skeleton/skeleton.tsx'
import { StatusChip } from '#web/ui/status-chip/status-chip.tsx'

/** A mail as it was or would be sent. */
export function ReadMail({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(apiQuery('mails', 'get', { params: { id } }))
  const mail = query.data?.data
  return (
    <Dialog title={mail?.subject ?? 'Message'} width={720} onClose={onClose}>
      <Unloaded query={query}>{!mail && <SkeletonLines count={6} />}</Unloaded>
      {mail && <WholeMailView mail={mail} />}
    </Dialog>
  )
}

function WholeMailView({ mail }: { mail: WholeMail }) {
  return (
    <>
      <Facts>
        <Fact name="To">
          <CustomerLink id={mail.customerId}>{mail.toName}</CustomerLink> &lt;{mail.toEmail}&gt;
        </Fact>
        <Fact name="State">
          <StatusChip tone={stateTones[mail.state]}>{stateLabels[mail.state]}</StatusChip>
          {mail.state === 'outdated' &&
            ' Not sent: its booking or address has changed since, or a newer mail replaces it.'}
          {mail.state === 'kept' && ' It was only kept, as no mail server was set (SMTP_URL).'}
        </Fact>
        <Fact name="Sent">{mail.sentAt && toMomentText(mail.sentAt)}</Fact>
        <Fact name="Next try">{mail.nextTryAt && toMomentText(mail.nextTryAt)}</Fact>
        {mail.tries > 0 && (
          <Fact name="Mail server">
            {mail.response} ({mail.tries === 1 ? '1 try' : `${mail.tries} tries`})
          </Fact>
        )}
      </Facts>
      <MailBody {...mail} />
    </>
  )
}
