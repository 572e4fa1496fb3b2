/**
 * Keeps the browser from opening a file, in the place of the portal, that is dropped beside the field for it. Returns a
 * function that ends this.
 */
export function refuseStrayFiles(): () => void {
  const refuse = (event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    // The browser's own field takes what is dropped on it.
    if (event.target instanceof HTMLInputElement && event.target.type === 'file') return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
  window.addEventListener('dragover', refuse)
  window.addEventListener('drop', refuse)
  return () => {
    window.removeEventListener('dragover', refuse)
    window.removeEventListener('drop', refuse)
  }
}
