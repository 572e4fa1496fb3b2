import styles from './logo.module.css'

const LETTERS_AT_FULL_SIZE = 10

/** The mark: a pod's door with a keyhole. The same drawing as assets/mark.svg, inlined so that it never flickers. */
function Mark() {
  return (
    <svg viewBox="0 0 32 32" width={32} height={32} aria-hidden focusable="false">
      <rect width="32" height="32" rx="8" fill="#d6202f" />
      <path d="M9 24.5V15a7 7 0 0 1 14 0v9.5a1 1 0 0 1-1 1H10a1 1 0 0 1-1-1z" fill="#fff" />
      <path d="M16 13.2a2.6 2.6 0 0 1 1.35 4.82l.65 3.48h-4l.65-3.48A2.6 2.6 0 0 1 16 13.2z" fill="#d6202f" />
    </svg>
  )
}

/** Mark and product name in a box of 153 × 40 px (rules §14.1); a long name is set smaller. */
export function Logo({ productName }: { productName: string }) {
  const scale = Math.min(1, LETTERS_AT_FULL_SIZE / productName.length)
  return (
    <span className={styles.logo}>
      <Mark />
      <span className={styles.name} style={{ fontSize: `${Math.max(12, Math.round(20 * scale))}px` }}>
        {productName}
      </span>
    </span>
  )
}
