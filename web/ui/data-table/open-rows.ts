/**
 * A ref for the element around rows or cards. A click on one of them clicks the link in its heading, so that a record
 * opens from anywhere on its row, in a new tab too. Controls keep their own clicks, and text can still be selected.
 * The keyboard needs nothing more than the link.
 */
export function openRows(rows: HTMLElement | null) {
  rows?.addEventListener('click', openRow)
  return () => rows?.removeEventListener('click', openRow)
}

function openRow({ target, ctrlKey, metaKey, shiftKey }: MouseEvent) {
  if (!(target instanceof Element) || target.closest('a, button, input, select, label, [popover]')) return
  if (getSelection()?.type === 'Range') return
  const link = target.closest('tr, li')?.querySelector<HTMLAnchorElement>('[data-heading] a')
  // Where the focus returns to when what was opened is closed.
  link?.focus({ preventScroll: true })
  link?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }))
}
