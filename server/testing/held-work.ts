/** Creates a task that runs until it is released. */
export function createHeldWork() {
  let release = () => {} // replaced at once: a promise calls its executor before it returns
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { work: () => released, release: () => release() }
}
