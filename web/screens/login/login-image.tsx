import styles from './login-screen.module.css'

type Pod = { x: number; width: number; height: number; lit?: boolean; plant?: boolean }

const FLOOR = 420

const pods: readonly Pod[] = [
  { x: 60, width: 120, height: 210 },
  { x: 204, width: 168, height: 250, lit: true },
  { x: 396, width: 120, height: 210, plant: true },
]

/** A decorative row of pods, one of them taken. */
export function LoginImage() {
  return (
    <div className={styles.image} aria-hidden>
      <svg viewBox="0 0 576 520" role="presentation">
        <line x1="0" y1={FLOOR} x2="576" y2={FLOOR} className={styles.line} />
        {pods.map((pod) => (
          <PodShape key={pod.x} {...pod} />
        ))}
      </svg>
    </div>
  )
}

function PodShape({ x, width, height, lit = false, plant = false }: Pod) {
  const top = FLOOR - height
  const glass = { x: x + 14, y: top + 34, width: width - 28, height: height - 34 }
  const middle = x + width / (plant ? 2.6 : 2)
  return (
    <g>
      <rect x={x} y={top} width={width} height={height} rx="18" className={styles.shell} />
      <rect {...glass} rx="8" className={lit ? styles.glassLit : styles.glass} />
      <circle cx={x + width - 24} cy={top + 18} r="4.5" className={lit ? styles.lampTaken : styles.lamp} />
      {lit && (
        <g className={styles.furniture}>
          <path d={`M${middle} ${glass.y} v34`} className={styles.cord} />
          <path d={`M${middle - 24} ${glass.y + 54} a24 20 0 0 1 48 0 z`} className={styles.shade} />
          <rect x={middle - 46} y={FLOOR - 74} width="92" height="7" rx="3.5" />
          <path d={`M${middle} ${FLOOR - 68} v62 M${middle - 22} ${FLOOR - 4} h44`} className={styles.cord} />
          <rect x={middle - 18} y={FLOOR - 100} width="36" height="24" rx="3" />
        </g>
      )}
      {plant && (
        <g className={styles.furniture}>
          <path d={`M${middle - 13} ${FLOOR - 34} h26 l-4 30 h-18 z`} />
          <path
            d={`M${middle} ${FLOOR - 34} v-46 M${middle} ${FLOOR - 50} q-22 -4 -24 -26 q20 2 24 26 M${middle} ${FLOOR - 60} q20 -4 22 -26 q-20 4 -22 26`}
            className={styles.leaf}
          />
        </g>
      )}
      {!lit && (
        <rect x={glass.x + glass.width - 14} y={FLOOR - 112} width="4" height="40" rx="2" className={styles.handle} />
      )}
    </g>
  )
}
