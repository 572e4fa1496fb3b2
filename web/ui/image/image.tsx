import { useState } from 'react'
import { classNames } from '../class-names.ts'
import styles from './image.module.css'

type ImageProps = {
  src: string | undefined
  /** The same image 400 px wide, which the browser loads in its place in a list. */
  thumbnail?: string | undefined
  /** Describes the image; '' if the text beside it does. */
  alt: string
  /** Width to height: '4 / 3' for cards, '1' for thumbnails. */
  ratio?: string
  /** A few dozen bytes of the same image (a data: URL), shown blurred until the image has loaded. */
  preview?: string | undefined
  /** In px; without it the image is as wide as its container. */
  width?: number
  /** In px; replaces `ratio` in cards whose width follows the window's. */
  height?: number
}

/** The placeholder for a missing image: a room with a door, a plant and a lamp. */
function DrawnRoom() {
  return (
    <svg viewBox="0 0 160 120" preserveAspectRatio="xMidYMid slice" aria-hidden focusable="false">
      <rect width="160" height="120" fill="var(--color-image)" />
      <path d="M0 92h160v28H0z" fill="var(--color-image-shape)" opacity=".55" />
      <path d="M58 92V54a22 22 0 0 1 44 0v38z" fill="var(--color-image-shape)" />
      <path d="M64 92V55a16 16 0 0 1 32 0v37z" fill="var(--color-image)" />
      <g fill="none" stroke="var(--color-image-line)" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M0 92h160M58 92V54a22 22 0 0 1 44 0v38M90 72v5" />
        <path d="M120 92V80h12v12M126 80c0-8-5-11-9-12 0 6 3 11 9 12zm0 0c0-10 4-14 9-16 1 8-2 14-9 16z" />
        <path d="M34 92V56m-7 0h14l-3-9h-8zM28 92h12" />
      </g>
    </svg>
  )
}

/** An image of a place. Its space is reserved from the start, so nothing jumps; a drawing replaces a missing image. */
export function Image({ src, thumbnail, alt, ratio = '4 / 3', preview, width, height }: ImageProps) {
  const [failedSrc, setFailedSrc] = useState<string>()
  const style = { ...(height === undefined ? { aspectRatio: ratio } : { height }), width: width ?? '100%' }
  if (!src || failedSrc === src) {
    return (
      <div className={styles.image} style={style} data-tooltip={src ? 'The image could not be loaded' : undefined}>
        <DrawnRoom />
      </div>
    )
  }
  return (
    <div className={styles.image} style={style}>
      <img
        key={src}
        src={src}
        {...(thumbnail && { srcSet: `${thumbnail} 400w, ${src} 2000w`, sizes: '100px' })}
        alt={alt}
        loading="lazy"
        decoding="async"
        // A cached image may have fired its load event before the listener was attached.
        ref={(image) => {
          if (image?.complete && image.naturalWidth > 0) show(image)
        }}
        onLoad={(event) => show(event.currentTarget)}
        onError={() => setFailedSrc(src)}
      />
      <span
        className={classNames(styles.waiting, preview && styles.preview)}
        style={preview ? { backgroundImage: `url("${preview}")` } : undefined}
      />
    </div>
  )
}

/** Set on the element itself: as state, each image of a screen would render a second time. */
function show(image: HTMLImageElement) {
  image.dataset.shown = 'true'
}
