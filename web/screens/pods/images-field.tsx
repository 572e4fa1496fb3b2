import { type ReactNode } from 'react'
import { podLabels } from '#contract/field-labels.ts'
import { IMAGE_TYPES, MAX_IMAGE_BYTES } from '#contract/image-limits.ts'
import { MAX_POD_IMAGES } from '#contract/pod-defaults.ts'
import { toImageSource } from '#web/components/image-source.ts'
import { FileDrop } from '#web/ui/file-drop/file-drop.tsx'
import { type ImageItem, type ImageList } from './image-list.ts'

type ImagesFieldProps = {
  list: ImageList
  items: readonly ImageItem[]
  error: ReactNode
  onChange: () => void
}

/** The images of a pod, uploaded as soon as they are chosen. The first one is shown in lists. */
export function ImagesField({ list, items, error, onChange }: ImagesFieldProps) {
  return (
    <FileDrop
      label={podLabels.images}
      required
      hint="JPEG, PNG, WebP, GIF or AVIF, up to 10 MB each"
      items={items.map(toItem)}
      accept={IMAGE_TYPES}
      maxBytes={MAX_IMAGE_BYTES}
      maxFiles={MAX_POD_IMAGES}
      error={error}
      onAdd={(files) => {
        list.add(files)
        onChange()
      }}
      onRemove={list.remove}
      onMove={list.move}
      onRetry={list.retry}
    />
  )
}

function toItem({ key, name, image, preview, progress, error, isRefusal }: ImageItem) {
  const stored = image && toImageSource(image.thumbnail ?? image.url)
  return { id: key, name, previewUrl: preview ?? stored, progress, problem: error, isRefusal }
}
