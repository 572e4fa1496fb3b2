import { toBreakable } from '#web/ui/data-table/data-table-parts.tsx'

export function MailLink({ email }: { email: string }) {
  return <a href={`mailto:${email}`}>{toBreakable(email)}</a>
}
