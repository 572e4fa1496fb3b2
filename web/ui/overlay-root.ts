/**
 * Where dialogs and menus are drawn: the element that the portal itself is drawn in. React listens to every kind of event
 * on each element it draws into, so that in another one (the body, say) each click and key would be handled twice.
 */
export function findOverlayRoot(): HTMLElement {
  return document.getElementById('root') ?? document.body
}
