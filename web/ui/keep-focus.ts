/**
 * The focus never falls to the page itself. Whoever works by keyboard would begin anew at its top, and a screen reader
 * would fall silent, whenever what has the focus goes: a row that was deleted, Next on the last page, a whole screen.
 * It passes to what stands in its place: the same action of the row beside, a neighbour, else the screen's heading.
 */

/** From the inside out: which child of which parent. */
type Place = readonly { parent: Element; index: number }[]

const places = new WeakMap<Element, Place>()
let last: Element | undefined
/** Rows or a screen are on their way: the focus waits at what will hold them. */
let waiting: { at: HTMLElement; place: Place } | undefined

/** Watches until the function it returns is called. */
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

/** Gives the focus to an element that had it before, or to what stands in its place. */
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

/** A click beside it all takes the focus away on purpose; what is hidden while another screen loads has lost it. */
function followLeft({ relatedTarget }: FocusEvent): void {
  if (relatedTarget !== null) return
  // Later: the browser may be on its way to another element, as when its own dialog closes.
  setTimeout(() => {
    if (document.activeElement !== document.body || !last) return
    if (isLost(last) || !isDrawn(last)) focusPlace(places.get(last) ?? [])
    else last = undefined
  })
}

function followChange(): void {
  const active = document.activeElement
  if (waiting && active === waiting.at) {
    if (!waiting.at.matches('[aria-busy=true]')) focusPlace(waiting.place)
  } else if (active !== null && active !== document.body && !isLost(active)) {
    // What stands around it may have changed.
    if (active === last) places.set(active, toPlace(active))
  } else if (last && isLost(last)) {
    focusPlace(places.get(last) ?? [])
  }
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
    // The whole screen has changed, or all around it.
    if (parent.matches('main') || parent.querySelector('main')) break
    if (parent instanceof HTMLDialogElement) return findFirst(parent)?.focus({ preventScroll: true })
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

/** The child that has taken the place, then those before it, then those after it. */
function findBeside(parent: Element, index: number, inside: Place): HTMLElement | undefined {
  const children = [...parent.children]
  const at = Math.min(index, children.length - 1)
  const near = [...children.slice(0, at + 1).toReversed(), ...children.slice(at + 1)]
  for (const child of near) {
    const target = findSame(child, inside) ?? findFirst(child)
    if (target) return target
  }
  return undefined
}

/** What stands in one child where the lost one stood in another: the same action of another row. */
function findSame(child: Element, inside: Place): HTMLElement | undefined {
  const node = inside.reduceRight<Element | undefined>((node, { index }) => node?.children[index], child)
  return node instanceof HTMLElement && canTakeFocus(node) ? node : undefined
}

function findFirst(child: Element): HTMLElement | undefined {
  return [child, ...child.querySelectorAll('*')].find(
    (node): node is HTMLElement => node instanceof HTMLElement && canTakeFocus(node),
  )
}

function canTakeFocus(node: HTMLElement): boolean {
  return node.tabIndex >= 0 && !isLost(node) && isDrawn(node)
}

function isDrawn(node: Element): boolean {
  return typeof node.checkVisibility === 'function' ? node.checkVisibility({ visibilityProperty: true }) : true
}
