/**
 * Returns the element for menus: the root that the portal itself is rendered into. React listens to every kind of event
 * on each element it renders into, so in another one (such as the body) each click and key would be handled twice.
 */
function getOverlayRoot(): HTMLElement {
  return document.getElementById('root') ?? document.body
}

/**
 * Returns the element to render what opens beside `node` into: the dialog or landmark that it is in, as screen readers
 * navigate a page by these.
 */
export function findLandmark(node: Element): HTMLElement {
  return node.closest<HTMLElement>('[role=dialog], [role=alertdialog], dialog, main') ?? getOverlayRoot()
}
