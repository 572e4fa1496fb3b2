import type { Pod } from '#contract/pods.ts'
import { Image } from '#web/ui/image/image.tsx'
import { toImageSource } from './image-source.ts'

type PodCoverProps = {
  pod: Pick<Pod, 'images'>
  /** Width to height. */
  ratio?: string
  /** `full` where the image is shown wider than a thumbnail. */
  size?: 'thumbnail' | 'full'
}

/** A pod's first image, blurred until it has loaded. It has no alt text, as the text beside it names the pod. */
export function PodCover({ pod, ratio = '3 / 2', size = 'thumbnail' }: PodCoverProps) {
  const [image] = pod.images
  const thumbnail = size === 'thumbnail' && image?.thumbnail ? toImageSource(image.thumbnail) : undefined
  return (
    <Image
      src={image && toImageSource(image.url)}
      thumbnail={thumbnail}
      alt=""
      ratio={ratio}
      preview={image?.placeholder}
    />
  )
}
