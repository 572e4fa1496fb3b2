// @vitest-environment happy-dom
import { cleanup, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderUi } from '../testing.tsx'
import { CodeScanner } from './code-scanner.tsx'

vi.mock('./detect-codes.ts', () => ({ detector: { detect: async () => [{ rawValue: 'by WebAssembly' }] } }))

describe('CodeScanner', () => {
  /** The code that the camera sees. */
  let seen: string | undefined

  beforeEach(() => {
    seen = undefined
    const mediaDevices = { getUserMedia: async () => Object.assign(new MediaStream(), { getTracks: () => [] }) }
    Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: mediaDevices })
    vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
    window.BarcodeDetector = class {
      static getSupportedFormats = async () => ['qr_code']
      detect = async () => (seen === undefined ? [] : [{ rawValue: seen }])
    }
  })
  afterEach(() => {
    cleanup()
    vi.restoreAllMocks()
    delete window.BarcodeDetector
  })

  it('releases the camera, and says what to do, when it cannot start', async () => {
    const stop = vi.fn<() => void>()
    const stream = Object.assign(new MediaStream(), { getTracks: () => [Object.assign(new EventTarget(), { stop })] })
    vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockResolvedValue(stream)
    vi.spyOn(HTMLMediaElement.prototype, 'play').mockRejectedValue(new Error('no'))
    const { getByRole } = renderUi(<CodeScanner hint="" onCode={() => {}} />)
    await waitFor(() => expect(getByRole('alert').textContent).toContain('Reload the page, or type the code'))
    expect(stop).toHaveBeenCalledOnce()
  })

  it('reads codes by itself when the browser’s detector knows none, as on phones without Google’s services', async () => {
    window.BarcodeDetector = class {
      static getSupportedFormats = async () => []
      detect = () => Promise.reject(new DOMException('No service', 'NotSupportedError'))
    }
    const onCode = vi.fn<(text: string) => void>()
    renderUi(<CodeScanner hint="" onCode={onCode} />)
    await waitFor(() => expect(onCode).toHaveBeenCalledWith('by WebAssembly'))
  })

  it('says what to do when the camera stops while it is used', async () => {
    const track = Object.assign(new EventTarget(), { stop: () => {} })
    const stream = Object.assign(new MediaStream(), { getTracks: () => [track] })
    vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockResolvedValue(stream)
    const onCode = vi.fn<() => void>()
    const { getByRole, queryByText } = renderUi(<CodeScanner hint="Hold the code" onCode={onCode} />)
    await waitFor(() => expect(queryByText('Hold the code')).not.toBeNull())
    await new Promise((resolve) => setTimeout(resolve, 300))
    track.dispatchEvent(new Event('ended'))
    await waitFor(() => expect(getByRole('alert').textContent).toContain('The camera has stopped. Close this and scan'))
    expect(queryByText('Hold the code')).toBeNull()
    // Nothing is looked for any more.
    seen = 'first'
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(onCode).not.toHaveBeenCalled()
  })

  it('reads the next code when the previous one is done, and loses none', async () => {
    const read: string[] = []
    let finish = () => {}
    renderUi(
      <CodeScanner
        hint=""
        onCode={(text) => {
          read.push(text)
          return new Promise((resolve) => (finish = resolve))
        }}
      />,
    )
    seen = 'first'
    await waitFor(() => expect(read).toEqual(['first']))
    seen = 'second'
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(read).toEqual(['first'])
    finish()
    await waitFor(() => expect(read).toEqual(['first', 'second']))
  })

  it('reads a code once while it is in the picture, and again when it comes back', async () => {
    const read: string[] = []
    renderUi(<CodeScanner hint="" onCode={(text) => void read.push(text)} />)
    seen = 'refused'
    await waitFor(() => expect(read).toEqual(['refused']))
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(read).toEqual(['refused'])
    seen = undefined
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    seen = 'refused'
    await waitFor(() => expect(read).toEqual(['refused', 'refused']))
  }, 20_000)
})
