/** Tells whether keys pressed at `target` write there, so that no shortcut may take them. */
export function isTyping(target: EventTarget | null): boolean {
  const withoutText = 'input:is([type=checkbox], [type=radio], [type=button], [type=file])'
  return (
    target instanceof HTMLElement &&
    target.matches('input, textarea, select, [contenteditable]') &&
    !target.matches(withoutText)
  )
}
