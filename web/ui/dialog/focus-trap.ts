const TABBABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]:not([tabindex="-1"])'

/** What Tab may reach inside, in order, hidden things among it. */
function listTabbable(box: HTMLElement): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>(TABBABLE)].filter(isReached)
}

const isReached = (node: HTMLElement) => node.tabIndex >= 0

/** Hidden in a closed section, say. Where the browser cannot tell, all are. */
function isDrawn(node: HTMLElement): boolean {
  return typeof node.checkVisibility === 'function' ? node.checkVisibility() : true
}

/** The focus goes to what asks for it, else to the first that Tab reaches, else to the box itself; not if it is there already. */
export function focusInto(box: HTMLElement): void {
  if (box.contains(document.activeElement)) return
  const target = box.querySelector<HTMLElement>('[data-autofocus]') ?? findFirst(box) ?? box
  target.focus({ preventScroll: true })
}

/** Asks the browser for no more than it takes: nearly always the very first one will do. */
function findFirst(box: HTMLElement): HTMLElement | undefined {
  const will = (node: HTMLElement) => isReached(node) && isDrawn(node)
  const first = box.querySelector<HTMLElement>(TABBABLE)
  return first && will(first) ? first : [...box.querySelectorAll<HTMLElement>(TABBABLE)].find(will)
}

/** Lets Tab go round inside: from the last to the first and back, and in from wherever the focus has got lost. */
export function keepTabInside(box: HTMLElement, event: KeyboardEvent): void {
  const reached = listTabbable(box)
  const first = reached.find(isDrawn) ?? box
  const last = reached.findLast(isDrawn) ?? box
  const at = document.activeElement
  const isInside = at !== box && box.contains(at)
  const target = event.shiftKey ? last : first
  if (isInside && at !== (event.shiftKey ? first : last)) return
  event.preventDefault()
  target.focus()
}
