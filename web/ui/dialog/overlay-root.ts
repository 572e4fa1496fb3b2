/**
 * Where dialogs and menus are drawn: the element that the portal itself is drawn in. React listens to every kind of event
 * on each element it draws into, so that in another one (the body, say) each click and key would be handled twice.
 */
function getOverlayRoot(): HTMLElement {
  return document.getElementById('root') ?? document.body
}

/**
 * Where what opens beside an element is drawn: in the dialog or the landmark that the element is in, as screen readers go
 * through a page by these.
 */
export function findLandmark(node: Element): HTMLElement {
  return node.closest<HTMLElement>('[role=dialog], [role=alertdialog], dialog, main') ?? getOverlayRoot()
}
