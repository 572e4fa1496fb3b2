import { Button } from '#web/ui/button/button.tsx'
import { EmptyState } from '#web/ui/state-messages/state-messages.tsx'

/** In place of rows on a page that is not there (any more), as an old link or a deletion leaves it. */
export function EmptyPage({ onFirstPage }: { onFirstPage: () => void }) {
  return <EmptyState action={<Button onClick={onFirstPage}>To the first page</Button>}>This page is empty.</EmptyState>
}
