import { useEffect, useState, useSyncExternalStore } from 'react'
import type { PodImage } from '#contract/pods.ts'
import { upload } from '#web/api/client.ts'
import { createImageList } from './image-list.ts'

/** The images of a pod form. Uploads stop when the form is closed. */
export function useImageList(initial: readonly PodImage[]) {
  const [list] = useState(() => createImageList(initial, sendImage))
  const items = useSyncExternalStore(list.subscribe, list.get)
  const [first] = useState(() => toOrder(list.get()))

  // Otherwise the browser would go on uploading and keep the files in memory.
  useEffect(() => () => list.close(), [list])

  return { list, items, changed: toOrder(items) !== first }
}

function toOrder(items: readonly { key: string }[]): string {
  return items.map(({ key }) => key).join()
}

async function sendImage(
  file: File,
  options: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<PodImage> {
  const form = new FormData()
  form.append('images', file)
  const { data } = await upload('uploads', 'create', { form, ...options })
  const [image] = data.files
  if (image === undefined) throw new Error('The server kept no image. Try again.')
  return image
}
