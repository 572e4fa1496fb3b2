import { Suspense, use, useMemo } from 'react'
import { FailedPart } from '../lazy-part/lazy-part.tsx'
import { Skeleton } from '../skeleton/skeleton.tsx'
import styles from './qr-code.module.css'

type QrCodeProps = { text: string; label: string; size?: number }

type Modules = { size: number; path: string }

// Width of the margin that scanners need around a code, in modules (ISO/IEC 18004)
const QUIET_ZONE = 4

/** Returns the dark squares of a code as one SVG path. The library is loaded when the first code is drawn. */
async function loadModules(text: string): Promise<Modules> {
  const { create } = await import('qrcode')
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const parts: string[] = []
  for (let row = 0; row < modules.size; row += 1) {
    for (let column = 0; column < modules.size; column += 1) {
      if (modules.get(row, column)) parts.push(`M${column + QUIET_ZONE} ${row + QUIET_ZONE}h1v1h-1z`)
    }
  }
  return { size: modules.size + 2 * QUIET_ZONE, path: parts.join('') }
}

function Drawing({ modules, label, size }: { modules: Promise<Modules | undefined>; label: string; size: number }) {
  const drawn = use(modules)
  if (!drawn) return <FailedPart />
  const { size: side, path } = drawn
  return (
    <svg
      className={styles.code}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}

/** A QR code, black on white in both colour schemes, as scanners need it. */
export function QrCode({ text, label, size = 160 }: QrCodeProps) {
  const modules = useMemo(() => loadModules(text).catch(() => undefined), [text])
  return (
    <Suspense fallback={<Skeleton width={size} height={size} />}>
      <Drawing modules={modules} label={label} size={size} />
    </Suspense>
  )
}
