import styles from './skeleton.module.css'

type SkeletonProps = { width?: number | string; height?: number | string }

/** A grey bar in place of what is loading. It appears after 150 ms, so that it does not flash on quick responses. */
export function Skeleton({ width = '100%', height = 12 }: SkeletonProps) {
  return <span className={styles.bar} style={{ width, height }} aria-hidden />
}

/** Placeholder of a list or a text while it loads. */
export function SkeletonLines({ count }: { count: number }) {
  return (
    <div className={styles.lines} aria-hidden>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} width={index % 2 === 0 ? '60%' : '40%'} />
      ))}
    </div>
  )
}

/** Placeholder of a form while its values load. */
export function SkeletonFields({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => (
    <div key={index} className={styles.field} aria-hidden>
      <Skeleton width="30%" />
      <Skeleton height="var(--control-height)" />
    </div>
  ))
}
