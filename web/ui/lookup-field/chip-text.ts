import type { LookupOption } from './lookup-field.tsx'

/** Names a chosen option with its detail, as others may have the same label. */
export function toChipText({ label, detail }: LookupOption): string {
  return [label, detail].filter(Boolean).join(', ')
}
