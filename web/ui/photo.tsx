import { useState } from 'react'
import { classNames } from './class-names.ts'
import styles from './photo.module.css'

type PhotoProps = {
  src: string | undefined
  /** What is seen, or '' when the words beside it say it. */
  alt: string
  /** Width to height: '4 / 3' for cards, '1' for thumbnails. */
  ratio?: string
  /** A few dozen bytes of the same picture (a data: URL), shown blurred until the whole one is there. */
  preview?: string | undefined
  /** Px; without it the photo is as wide as its place. */
  width?: number
  /** Load at once: for what is in view first. */
  eager?: boolean
}

/** A room with a door, a plant and a lamp: what stands where there is no picture yet. */
function DrawnRoom() {
  return (
    <svg viewBox="0 0 160 120" preserveAspectRatio="xMidYMid slice" aria-hidden focusable="false">
      <rect width="160" height="120" fill="var(--color-picture)" />
      <path d="M0 92h160v28H0z" fill="var(--color-picture-shape)" opacity=".55" />
      <path d="M58 92V54a22 22 0 0 1 44 0v38z" fill="var(--color-picture-shape)" />
      <path d="M64 92V55a16 16 0 0 1 32 0v37z" fill="var(--color-picture)" />
      <g fill="none" stroke="var(--color-picture-line)" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M0 92h160M58 92V54a22 22 0 0 1 44 0v38M90 72v5" />
        <path d="M120 92V80h12v12M126 80c0-8-5-11-9-12 0 6 3 11 9 12zm0 0c0-10 4-14 9-16 1 8-2 14-9 16z" />
        <path d="M34 92V56m-7 0h14l-3-9h-8zM28 92h12" />
      </g>
    </svg>
  )
}

/** A picture of a place: its room is kept from the start, so nothing jumps, and no picture is a picture too. */
export function Photo({ src, alt, ratio = '4 / 3', preview, width, eager = false }: PhotoProps) {
  const [state, setState] = useState<{ src: string | undefined; is: 'loading' | 'shown' | 'failed' }>({
    src,
    is: 'loading',
  })
  const is = state.src === src ? state.is : 'loading'
  const style = { aspectRatio: ratio, width: width ?? '100%' }
  if (!src || is === 'failed') {
    return (
      <div className={styles.photo} style={style} data-tooltip={src ? 'The picture could not be loaded' : undefined}>
        <DrawnRoom />
      </div>
    )
  }
  return (
    <div className={styles.photo} style={style}>
      {is === 'loading' && (
        <span
          className={classNames(styles.waiting, preview && styles.preview)}
          style={preview ? { backgroundImage: `url("${preview}")` } : undefined}
        />
      )}
      <img
        src={src}
        alt={alt}
        loading={eager ? 'eager' : 'lazy'}
        decoding="async"
        data-shown={is === 'shown' || undefined}
        ref={(image) => {
          // Already in the cache: its load event came before this was listening.
          if (image?.complete && image.naturalWidth > 0 && is !== 'shown') setState({ src, is: 'shown' })
        }}
        onLoad={() => setState({ src, is: 'shown' })}
        onError={() => setState({ src, is: 'failed' })}
      />
    </div>
  )
}
