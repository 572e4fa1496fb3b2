import type { AuditAction, Change } from '#contract/audit.ts'
import { toCounted } from '#web/lib/format.ts'
import { listFieldChanges } from './change-fields.ts'
import { toKindNoun } from './kind-words.ts'

const sentences: Record<AuditAction, (change: Change) => string> = {
  create: ({ entity }) => `created the ${toKindNoun(entity)}`,
  edit: (change) => `changed ${toFieldList(change)}`,
  block: ({ entity }) => `blocked the ${toKindNoun(entity)}`,
  unblock: ({ entity }) => `unblocked the ${toKindNoun(entity)}`,
  delete: ({ entity }) => `deleted the ${toKindNoun(entity)}`,
  restore: ({ entity }) => `restored the ${toKindNoun(entity)}`,
  erase: () => 'erased the customer’s personal data',
  reorder: () => 'changed the order of the features',
  cancel: () => 'cancelled the booking',
  reinstate: ({ before }) => {
    if (before?.no_show_at) return 'took the no-show back'
    return before?.ended_at ? 'took the early end back' : 'reinstated the booking'
  },
  move: () => 'moved the booking',
  'check-in': ({ after }) => (after?.checked_in_at ? 'checked the customer in' : 'took the check-in back'),
  'no-show': ({ after }) => (after?.no_show_at ? 'noted that nobody came' : 'took the no-show back'),
  end: ({ entity, after }) => {
    if (entity === 'closure') return 'ended the closure'
    return after?.ended_at ? 'ended the booking early' : 'took the early end back'
  },
  advance: ({ after }) => `set the status to ${String(after?.status)}`,
  permissions: (change) => `changed ${toFieldList(change)}`,
  password: () => 'changed the password',
  'password-link': () => 'made a link to choose a password',
  'second-factor': () => 'set up a second factor',
  'second-factor-off': () => 'turned the second factor off',
  'second-factor-reset': () => 'reset the second factor',
  'second-factor-rule': ({ after }) =>
    after?.second_factor_required
      ? 'required a second factor of everyone'
      : 'no longer required a second factor of everyone',
  'recovery-codes': () => 'made new recovery codes',
  'passkey-add': () => 'added a passkey',
  'passkey-rename': () => 'renamed a passkey',
  'passkey-remove': () => 'removed a passkey',
  revoke: ({ entity }) => `revoked the ${toKindNoun(entity)}`,
  'sign-in': () => 'signed in',
  'sign-in-failed': () => 'failed to sign in',
  'sign-out': () => 'signed out',
  confirm: () => 'gave the password again',
  'view-as': ({ label }) => `began to see what ${label} sees`,
  'view-as-end': ({ label }) => `stopped seeing what ${label} sees`,
  upload: ({ after }) =>
    `uploaded ${toCounted(Array.isArray(after?.images) ? after.images.length : 0, 'image', 'images')}`,
  send: ({ reason }) => `sent the confirmation again${reason === null ? '' : ` to ${reason}`}`,
  retry: ({ entity, label }) =>
    entity === 'webhook' ? `had ${label} sent again` : `had the ${toKindNoun(entity)} tried again`,
  dismiss: () => 'dismissed what had failed',
  archive: () => 'archived old changes',
  import: () => 'read archived changes back',
  export: ({ after }) => `downloaded ${String(after?.file)}`,
  'secret-key': () => 'changed the key that secrets are encrypted with',
}

/** Returns 'changed the title and rate per minute', which continues a sentence after the actor's name. */
export function toChangeText(change: Change): string {
  // A server that has been updated since the page was loaded may send others.
  const toSentence: ((change: Change) => string) | undefined = sentences[change.action]
  return toSentence?.(change) ?? 'made a change'
}

export function toActorName({ kind, name }: Change['actor']): string {
  if (kind === 'system') return 'The system'
  if (kind === 'provider') return 'The payment provider'
  if (kind === 'api-key') return `${name} (API key)`
  return name || 'Someone unknown'
}

const MOST_FIELDS = 3
const list = new Intl.ListFormat('en-GB')

/** Returns 'the title, rate per minute and 3 more fields'. */
function toFieldList(change: Change): string {
  const labels = listFieldChanges(change).map(({ label }) => toInSentence(label))
  if (labels.length === 0) return 'nothing that is shown'
  const rest = labels.length - MOST_FIELDS
  return `the ${list.format(rest > 0 ? [...labels.slice(0, MOST_FIELDS), toCounted(rest, 'more field', 'more fields')] : labels)}`
}

/** Writes a label in lower case, except for words such as URL. */
function toInSentence(label: string): string {
  return label.replaceAll(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase())
}
