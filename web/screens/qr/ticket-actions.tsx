import { useState } from 'react'
import type { BookingDetails } from '#contract/bookings.ts'
import { Button } from '#web/ui/button.tsx'
import { IconDownload, IconPrinter } from '#web/ui/icons.tsx'
import { showFailure } from '#web/ui/toasts.ts'
import { downloadCode } from './download-code.ts'

/** Print and Download PNG (decisions §3). */
export function TicketActions({ booking }: { booking: BookingDetails }) {
  const [drawing, setDrawing] = useState(false)

  async function download() {
    setDrawing(true)
    try {
      await downloadCode(booking.qrText, `booking-${booking._id}.png`)
    } catch {
      showFailure('The picture of the code could not be made.', { retry: () => void download() })
    } finally {
      setDrawing(false)
    }
  }

  return (
    <>
      <Button icon={<IconDownload size={16} />} loading={drawing} onClick={() => void download()}>
        Download PNG
      </Button>
      <Button variant="primary" icon={<IconPrinter size={16} />} onClick={() => window.print()}>
        Print
      </Button>
    </>
  )
}
