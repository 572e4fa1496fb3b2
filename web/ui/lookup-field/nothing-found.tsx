import type { ReactNode } from 'react'

/** What an empty list of choices says: as an option that cannot be chosen, since a listbox may hold nothing else. */
export function NothingFound({ children }: { children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- inside a listbox that is no select
    <span role="option" aria-disabled aria-selected={false} tabIndex={-1}>
      {children}
    </span>
  )
}
