import { useEffect, useRef, useState } from 'react'
import { Spinner } from '../spinner/spinner.tsx'
import styles from './code-scanner.module.css'

/** The BarcodeDetector of browsers that have one. */
type Detector = { detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]> }

declare global {
  interface Window {
    BarcodeDetector?: {
      new (options: { formats: string[] }): Detector
      getSupportedFormats: () => Promise<string[]>
    }
  }
}

const EVERY_MS = 200
/** A code that was out of the picture for so long is read again, as one that failed may be shown again. */
const FORGOTTEN_AFTER_MS = 2_000

type CodeScannerProps = {
  /** Instructions, shown below the camera's picture. */
  hint: string
  /** Called for each code that comes into the picture. The next one is read once this is done. */
  onCode: (text: string) => void | Promise<void>
}

const problems: Partial<Record<string, string>> = {
  refused: 'The camera cannot be used. Allow it in the browser, or type the code below.',
  // The code that reads pictures may be gone after an update.
  failed: 'The scanner could not start. Reload the page, or type the code below.',
  // Another app uses it, or the phone took it away while it was locked.
  stopped: 'The camera has stopped. Close this and scan again, or type the code below.',
}

/** Scans QR codes with the camera; says so when there is no camera or it may not be used. */
export function CodeScanner({ hint, onCode }: CodeScannerProps) {
  const video = useRef<HTMLVideoElement>(null)
  const latest = useRef(onCode)
  const [state, setState] = useState<'starting' | 'looking' | 'refused' | 'failed' | 'stopped'>('starting')
  useEffect(() => {
    latest.current = onCode
  })

  useEffect(() => {
    let isOver = false
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    async function look(detector: Detector, before?: { text: string; at: number }): Promise<void> {
      if (isOver || !video.current) return
      // If this frame cannot be read, the next one may be.
      const [code] = await detector.detect(video.current).catch(() => [])
      if (code && code.rawValue !== before?.text && !isOver) await latest.current(code.rawValue)
      const last = code ? { text: code.rawValue, at: Date.now() } : before
      const isForgotten = last !== undefined && Date.now() - last.at > FORGOTTEN_AFTER_MS
      timer = setTimeout(() => void look(detector, isForgotten ? undefined : last), EVERY_MS)
    }
    async function start() {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' }, audio: false })
      if (isOver || !video.current) return stop()
      // Not after `stop`, which ends a track without this event.
      for (const track of stream.getTracks()) track.addEventListener('ended', () => setState('stopped'))
      video.current.srcObject = stream
      await video.current.play()
      // On a phone without Google's services, the one of Chrome knows no formats and reads nothing.
      const formats = await window.BarcodeDetector?.getSupportedFormats().catch((): string[] => [])
      const detector =
        window.BarcodeDetector && formats?.includes('qr_code')
          ? new window.BarcodeDetector({ formats: ['qr_code'] })
          : (await import('./detect-codes.ts')).detector
      setState('looking')
      await look(detector)
    }
    function stop() {
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    start().catch(() => {
      stop()
      if (!isOver) setState(stream ? 'failed' : 'refused')
    })
    return () => {
      isOver = true
      clearTimeout(timer)
      stop()
    }
  }, [])

  const problem = problems[state]
  return (
    <div>
      <div className={styles.frame} data-failed={problem !== undefined || undefined}>
        {problem ? (
          <p role="alert">{problem}</p>
        ) : (
          <>
            <video ref={video} className={styles.video} muted playsInline aria-label="What the camera sees" />
            {state === 'starting' && <Spinner size={24} />}
          </>
        )}
      </div>
      {!problem && <p className={styles.hint}>{hint}</p>}
    </div>
  )
}
