import { useState } from 'react'
import { toMoved } from '#web/lib/moved.ts'
import { BarChart } from '../bar-chart/bar-chart.tsx'
import { Button } from '../button/button.tsx'
import { Carousel, CarouselItem } from '../carousel/carousel.tsx'
import { CodeScanner } from '../code-scanner/code-scanner.tsx'
import { FileDrop, type FileDropItem } from '../file-drop/file-drop.tsx'
import { Image } from '../image/image.tsx'
import { Panel } from '../panel/panel.tsx'
import { QrCode } from '../qr-code/qr-code.tsx'
import { SkeletonFields } from '../skeleton/skeleton.tsx'
import { FullScreenSpinner } from '../spinner/spinner.tsx'
import { ToggleGrid, type ToggleGridItem } from '../toggle-grid/toggle-grid.tsx'
import styles from './gallery.module.css'

function buildImage(hue: number): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300"><linearGradient id="g" x2="0" y2="1"><stop stop-color="hsl(${hue} 60% 80%)"/><stop offset="1" stop-color="hsl(${hue + 30} 45% 45%)"/></linearGradient><rect width="400" height="300" fill="url(#g)"/><circle cx="300" cy="80" r="34" fill="#fff8"/><path d="M0 230 110 130l80 70 70-50 140 90v60H0z" fill="#0004"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

function Slots() {
  const [edges, setEdges] = useState<string[]>(['07:00', '08:00'])
  const marks = Array.from({ length: 20 }, (_, index) => {
    const minutes = 360 + index * 15
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  })
  const [first = '', last = first] = [...edges].sort()
  const items = marks.map((mark, index): ToggleGridItem => {
    const item = { value: mark, label: mark, pressed: edges.includes(mark), inRange: mark > first && mark < last }
    if (index < 2) return Object.assign(item, { disabled: true, reason: 'passed' })
    return index > 11 && index < 15 ? Object.assign(item, { disabled: true, reason: 'booked' }) : item
  })
  const toggle = (mark: string) =>
    setEdges(edges.includes(mark) ? edges.filter((edge) => edge !== mark) : [...edges.slice(-1), mark])
  return <ToggleGrid label="Time slots" items={items} onToggle={toggle} />
}

const files: FileDropItem[] = [
  { id: 'a', name: 'front.jpg', previewUrl: buildImage(20) },
  { id: 'b', name: 'desk.jpg', previewUrl: buildImage(200), progress: 0.6 },
  { id: 'c', name: 'a-very-long-name-of-a-file.jpg', problem: 'Upload failed: the file is damaged.' },
]

const pods = [
  { name: 'Garden pod', src: buildImage(140) },
  { name: 'Seaside pod', src: undefined },
  { name: 'A pod whose image is lost', src: '/missing.jpg' },
  { name: 'Harbour pod', src: buildImage(260) },
]

function Images() {
  const [items, setItems] = useState(files)
  return (
    <FileDrop
      label="Images"
      required
      items={items}
      accept={['image/jpeg', 'image/png']}
      maxBytes={10_000_000}
      maxFiles={20}
      onAdd={(files) =>
        setItems([
          ...items,
          ...files.map((file) => ({ id: file.name, name: file.name, previewUrl: URL.createObjectURL(file) })),
        ])
      }
      onRemove={(id) => setItems(items.filter((item) => item.id !== id))}
      onMove={(from, to) => setItems(toMoved(items, from, to))}
      onRetry={() => {}}
    />
  )
}

const bars = ['09:00', '10:00', '11:00', '12:00'].map((label, index) => ({
  label,
  share: 0.25 * index,
  title: `${label}: ${25 * index} %`,
  isPast: index < 2,
  onSelect: () => {},
}))

/** Asks for the camera only when it is wanted. */
function Scanner() {
  const [code, setCode] = useState<string>()
  if (code === undefined) return <Button onClick={() => setCode('')}>Scan a code</Button>
  return (
    <>
      <CodeScanner hint="Hold the code before the camera." onCode={setCode} />
      {code}
    </>
  )
}

export function PlacesGallery() {
  return (
    <>
      <div className={styles.columns}>
        <Panel title="Time slots">
          <Slots />
        </Panel>
        <Panel title="Images">
          <Images />
        </Panel>
        <Panel title="A carousel">
          <Carousel label="Pods">
            {pods.map(({ name, src }) => (
              <CarouselItem key={name}>
                <Image src={src} alt={name} />
              </CarouselItem>
            ))}
          </Carousel>
        </Panel>
        <Panel title="A chart">
          <BarChart label="Booked by the hour" bars={bars} />
        </Panel>
        <Panel title="Code and waiting">
          <div className={styles.row}>
            <QrCode text="https://example.com/qr?bookingId=0193a4e2" label="Booking code" />
            <div style={{ width: 160 }}>
              <SkeletonFields count={1} />
            </div>
          </div>
          <Scanner />
        </Panel>
      </div>
      <div style={{ overflow: 'hidden', height: 160 }}>
        <div style={{ marginTop: '-40vh' }}>
          <FullScreenSpinner label="Checking access" />
        </div>
      </div>
    </>
  )
}
