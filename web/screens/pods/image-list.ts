import type { PodImage } from '#contract/pods.ts'
import { ApiError } from '#web/api/api-error.ts'
import { createListeners } from '#web/lib/listeners.ts'
import { toMoved } from '#web/lib/moved.ts'
import { toProblem } from '#web/ui/problem.ts'

/** An image of the pod form: stored, uploading (`progress`, 0 to 1), queued (`progress` 0), or refused (`error`). */
export type ImageItem = {
  key: string
  name: string
  image?: PodImage
  /** Object URL of the chosen file, shown while it is uploaded. */
  preview?: string | undefined
  progress?: number | undefined
  error?: string | undefined
  /** The server would refuse the same file again. */
  isRefusal?: boolean | undefined
}

type SendImage = (
  file: File,
  options: { onProgress: (share: number) => void; signal: AbortSignal },
) => Promise<PodImage>

export type ImageList = ReturnType<typeof createImageList>

const AT_ONCE = 3

/**
 * The images of a pod while it is edited. Chosen files are uploaded at once, each in its own request, so that each has
 * its own progress and error. A sweep of the server deletes images that are never saved.
 */
export function createImageList(initial: readonly PodImage[], send: SendImage) {
  let items: readonly ImageItem[] = initial.map((image, index) => ({
    key: `stored-${index}`,
    name: `Image ${index + 1}`,
    image,
  }))
  let lastKey = 0
  let timesClosed = 0
  const files = new Map<string, File>()
  const controllers = new Map<string, AbortController>()
  const { subscribe, notify } = createListeners()

  function replace(next: readonly ImageItem[]) {
    items = next
    notify()
  }

  function change(key: string, to: (item: ImageItem) => ImageItem) {
    replace(items.map((item) => (item.key === key ? to(item) : item)))
  }

  function sendNext() {
    const waiting = items.find((item) => item.progress !== undefined && !controllers.has(item.key))
    if (waiting === undefined || controllers.size >= AT_ONCE) return
    void sendOne(waiting.key)
    sendNext()
  }

  async function sendOne(key: string) {
    const file = files.get(key)
    if (file === undefined) return
    const controller = new AbortController()
    controllers.set(key, controller)
    try {
      const onProgress = (progress: number) => change(key, (item) => ({ ...item, progress }))
      const image = await send(file, { onProgress, signal: controller.signal })
      change(key, (item) => ({ ...item, image, progress: undefined }))
    } catch (error) {
      const { message, isRefusal } = toProblem(error)
      // The form is kept for somebody who signs in again, and the server takes the file then.
      const isSignedOut = error instanceof ApiError && error.code === 'not_signed_in'
      if (!controller.signal.aborted)
        change(key, (item) => ({ ...item, progress: undefined, error: message, isRefusal: isRefusal && !isSignedOut }))
    } finally {
      controllers.delete(key)
      // Notifies the listeners again, now that this upload no longer counts.
      replace(items)
      sendNext()
    }
  }

  function forget(item: ImageItem) {
    controllers.get(item.key)?.abort()
    files.delete(item.key)
    if (item.preview !== undefined) URL.revokeObjectURL(item.preview)
  }

  function add(chosen: readonly File[]) {
    const added = chosen.map((file): ImageItem => {
      lastKey += 1
      const key = `chosen-${lastKey}`
      files.set(key, file)
      return { key, name: file.name, preview: URL.createObjectURL(file), progress: 0 }
    })
    replace([...items, ...added])
    sendNext()
  }

  function remove(key: string) {
    const item = items.find((known) => known.key === key)
    if (item === undefined) return
    replace(items.filter((known) => known.key !== key))
    forget(item)
  }

  /** Moves an image. The first one represents the pod in lists. */
  function move(from: number, to: number) {
    replace(toMoved(items, from, to))
  }

  function retry(key: string) {
    change(key, (item) => ({ ...item, error: undefined, progress: 0 }))
    sendNext()
  }

  /** Replaces the list by these images; items that already show one of them are kept. */
  function set(images: readonly PodImage[]) {
    const next = images.map((image): ImageItem => {
      const known = items.find((item) => item.image?.url === image.url)
      if (known) return known
      lastKey += 1
      return { key: `set-${lastKey}`, name: `Image ${lastKey}`, image }
    })
    for (const item of items) if (!next.includes(item)) forget(item)
    replace(next)
  }

  /**
   * Waits for all uploads and returns the images. Throws when one was refused, or when the form was closed meanwhile: the
   * pod is not saved then (rules §5.9).
   */
  async function settle(): Promise<PodImage[]> {
    const closedBefore = timesClosed
    while (items.some((item) => item.progress !== undefined)) {
      await new Promise<void>((resolve) => {
        const stop = subscribe(() => {
          stop()
          resolve()
        })
      })
    }
    if (timesClosed > closedBefore) throw new Error('The form was closed before its images were uploaded.')
    const refused = items.filter((item) => item.error !== undefined)
    if (refused.length > 0) throw new Error(toUploadErrorText(refused))
    return items.flatMap((item) => item.image ?? [])
  }

  /** Stops the uploads and releases the chosen files, when the form is closed. */
  function close() {
    timesClosed += 1
    const chosen = items.filter((item) => files.has(item.key))
    replace(items.filter((item) => !chosen.includes(item)))
    for (const item of chosen) forget(item)
  }

  return { get: () => items, set, subscribe, add, remove, move, retry, settle, close }
}

function toUploadErrorText(refused: readonly ImageItem[]): string {
  const what = refused.length === 1 ? 'One image was' : `${refused.length} images were`
  const next = refused.every(({ isRefusal }) => isRefusal) ? 'Remove' : 'Try the upload again or remove'
  return `${what} not uploaded, and nothing has been saved. ${next} ${refused.length === 1 ? 'the image' : 'the images'}.`
}
