import type { mailEndpoints } from '#contract/mails.ts'
import { notFound } from '#server/http/app-error.ts'
import type { Handlers } from '#server/http/handler.ts'
import { paged } from '#server/http/results.ts'
import { showCode } from './mail-template.ts'
import { findMail, listMails } from './mail.repository.ts'
import { retryMail } from './mail.service.ts'

export const mailHandlers: Handlers<typeof mailEndpoints> = {
  list: async ({ context, query }) => paged(await listMails(context.db, query)),

  get: async ({ context, params }) => {
    const mail = await findMail(context.db, params.id)
    if (!mail) throw notFound('Message')
    return { ...mail, html: await showCode(mail.html, mail.code) }
  },

  retry: async ({ context, actor, params }) => {
    await retryMail(context, actor, params.id)
    return { message: 'The message is on its way' }
  },
}
