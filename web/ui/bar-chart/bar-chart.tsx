import { type BarChartEventsTypes, BarChart as Chart } from 'chartist'
import { useEffect, useRef } from 'react'
import styles from './bar-chart.module.css'

export type Bar = {
  /** Shown below the bar. */
  label: string
  /** 0 to 1. */
  share: number
  /** Shown on hover: '9:00 AM: 62 %'. */
  title: string
  /** Drawn paler than the others. */
  isPast?: boolean
  onSelect: () => void
}

type BarChartProps = {
  /** Text alternative: the drawing itself is hidden from screen readers. */
  label: string
  bars: readonly Bar[]
}

/** Shares as bars from 0 to 100 %. Needs the same data as a table beside it, for people who cannot see or click it. */
export function BarChart({ label, bars }: BarChartProps) {
  const frame = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!frame.current) return
    const chart = new Chart(
      frame.current,
      { labels: bars.map((bar) => bar.label), series: [bars.map((bar) => bar.share)] },
      {
        high: 1,
        low: 0,
        chartPadding: { top: 8, right: 0, bottom: 0, left: 0 },
        axisX: { showGrid: false, offset: 24 },
        axisY: {
          offset: 56,
          scaleMinSpace: 32,
          labelInterpolationFnc: (value) => `${Math.round(Number(value) * 100)} %`,
        },
      },
    )
    const draw = (event: BarChartEventsTypes['draw']) => {
      if (event.type !== 'bar') return
      const bar = bars[event.index]
      if (bar) dress(event.element.getNode<SVGElement>(), bar)
    }
    chart.on('draw', draw)
    return () => {
      chart.detach()
    }
  }, [bars])

  return (
    <figure aria-label={label}>
      <div ref={frame} aria-hidden="true" className={styles.chart} />
    </figure>
  )
}

function dress(node: SVGElement, bar: Bar) {
  node.toggleAttribute('data-past', bar.isPast === true)
  const title = document.createElementNS('http://www.w3.org/2000/svg', 'title')
  title.textContent = bar.title
  node.append(title)
  node.addEventListener('click', bar.onSelect)
}
