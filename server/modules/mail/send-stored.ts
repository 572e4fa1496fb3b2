import type { AppContext } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { PermanentFailure } from '#server/jobs/worker.ts'
import { type findMail, updateMail } from './mail.repository.ts'
import { MailError, type SendMail } from './smtp.ts'

type StoredMail = NonNullable<Awaited<ReturnType<typeof findMail>>>

/**
 * Sends a stored mail with what `compose` returns, and stores the mail server's response; `onSent` writes before that in
 * the same transaction. Throws for the job when the mail was not sent. Keeps the mail when no mail server is set.
 */
export async function sendStored(
  { db, clock, sendMail }: AppContext,
  { _id: id, toName, toEmail, subject, ...mail }: StoredMail,
  compose: () => Promise<Omit<Parameters<SendMail>[0], 'toName' | 'toEmail' | 'subject'>>,
  onSent: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<void> {
  if (!sendMail) return updateMail(db, id, { state: 'kept' })
  const tries = mail.tries + 1
  try {
    const response = await sendMail({ toName, toEmail, subject, ...(await compose()) })
    await inTransaction(db, async (tx) => {
      // In the order in which writing messages locks what was told and then the unsent mails.
      await onSent(tx)
      await updateMail(tx, id, { state: 'sent', tries, response, sent_at: clock.now() })
    })
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    await updateMail(db, id, { tries, response: error.message })
    throw error.isPermanent ? new PermanentFailure(error.message) : error
  }
}
