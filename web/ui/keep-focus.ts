/**
 * Keeps the focus from falling back to the page itself when the focused element is removed or disabled: a deleted row,
 * Next on the last page, a whole screen. Otherwise people using the keyboard would have to start again at the top, and
 * screen readers would fall silent. The focus moves to what takes the element's place: the same action of the row
 * beside it, a neighbour, or else the screen's heading.
 */

/** An element's position in the page, from the inside out: its index in each parent. */
type Place = readonly { parent: Element; index: number }[]

const places = new WeakMap<Element, Place>()
let last: Element | undefined
/** Set while rows or a screen load: the focus waits on the element that will contain them. */
let waiting: { at: HTMLElement; place: Place } | undefined

/** Starts watching the focus. Returns a function that stops it. */
export function keepFocus(): () => void {
  const observer = new MutationObserver(followChange)
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled', 'aria-busy'],
  })
  document.addEventListener('focusin', rememberFocus)
  document.addEventListener('focusout', followLeft)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', rememberFocus)
    document.removeEventListener('focusout', followLeft)
    last = undefined
    waiting = undefined
  }
}

/** Returns the focus to an element that had it before, or moves it to what has taken the element's place. */
export function focusAgain(element: Element | null): void {
  if (element instanceof HTMLElement && !isLost(element)) element.focus({ preventScroll: true })
  if (document.activeElement !== element || element === document.body) {
    focusPlace(element ? (places.get(element) ?? []) : [])
  }
}

function rememberFocus(): void {
  const active = document.activeElement
  if (active === null || active === document.body) return
  last = active
  if (active !== waiting?.at) waiting = undefined
  places.set(active, toPlace(active))
}

/** Moves the focus on from an element that was hidden or removed, but not after a click on an empty area. */
function followLeft({ relatedTarget }: FocusEvent): void {
  if (relatedTarget !== null) return
  // Deferred: the browser may be about to focus another element, as when its own dialog closes.
  setTimeout(() => {
    if (document.activeElement !== document.body || !last) return
    if (isLost(last) || !isDrawn(last)) replaceFocus(last)
    else last = undefined
  })
}

function followChange(): void {
  const active = document.activeElement
  if (waiting && active === waiting.at) {
    if (!waiting.at.matches('[aria-busy=true]')) focusPlace(waiting.place)
  } else if (active !== null && active !== document.body && !isLost(active)) {
    // The elements around it may have changed.
    if (active === last) places.set(active, toPlace(active))
  } else if (last && isLost(last)) {
    replaceFocus(last)
  }
}

/** A heading is replaced by the heading: that of the record, once it has loaded. */
function replaceFocus(lost: Element): void {
  focusPlace(lost.matches('h1') ? [] : (places.get(lost) ?? []))
}

function isLost(element: Element): boolean {
  return !element.isConnected || element.matches(':disabled')
}

function toPlace(element: Element): Place {
  const place = []
  for (let node = element; node.parentElement; node = node.parentElement) {
    place.push({ parent: node.parentElement, index: [...node.parentElement.children].indexOf(node) })
  }
  return place
}

function focusPlace(place: Place): void {
  for (const [depth, { parent, index }] of place.entries()) {
    if (!parent.isConnected) continue
    // The whole screen has changed, or everything around it.
    if (parent.matches('main') || parent.querySelector('main')) break
    if (parent instanceof HTMLDialogElement) return findFirst([parent])?.focus({ preventScroll: true })
    const target = findBeside(parent, index, place.slice(0, depth))
    if (target) return target.focus({ preventScroll: true })
    const busy = parent.closest<HTMLElement>('[aria-busy=true]')
    if (busy) return waitAt(busy, place)
  }
  const heading = document.querySelector<HTMLElement>('main h1')
  const main = document.querySelector<HTMLElement>('main')
  if (heading) {
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  } else if (main) waitAt(main, place)
}

function waitAt(at: HTMLElement, place: Place): void {
  waiting = { at, place }
  if (at.tabIndex < 0) at.tabIndex = -1
  at.focus({ preventScroll: true })
}

/** Finds what to focus: in the child that is now at `index`, then in those before it, then in those after it. */
function findBeside(parent: Element, index: number, inside: Place): HTMLElement | undefined {
  const children = [...parent.children]
  const at = Math.min(index, children.length - 1)
  const near = [...children.slice(0, at + 1).toReversed(), ...children.slice(at + 1)]
  for (const child of near) {
    const target = findSame(child, inside) ?? findFirst([child])
    if (target) return target
  }
  return undefined
}

/** Finds the element at the same position in another child, such as the same action in another row. */
function findSame(child: Element, inside: Place): HTMLElement | undefined {
  const node = inside.reduceRight<Element | undefined>((node, { index }) => node?.children[index], child)
  return node instanceof HTMLElement && canTakeFocus(node) ? node : undefined
}

/** Finds the first element that the Tab key can reach: one of `nodes`, or inside them. */
export function findFirst(nodes: readonly Element[]): HTMLElement | undefined {
  return nodes
    .flatMap((node) => [node, ...node.querySelectorAll('*')])
    .find((node): node is HTMLElement => node instanceof HTMLElement && canTakeFocus(node))
}

function canTakeFocus(node: HTMLElement): boolean {
  return node.tabIndex >= 0 && !isLost(node) && isDrawn(node)
}

function isDrawn(node: Element): boolean {
  return typeof node.checkVisibility === 'function' ? node.checkVisibility({ visibilityProperty: true }) : true
}
