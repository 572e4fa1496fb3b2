import './base.css'
import { type ReactNode, useEffect } from 'react'
import { DiscardQuestion } from './confirm-dialog/discard-question.tsx'
import { refuseStrayFiles } from './file-drop/refuse-stray-files.ts'
import { keepFocus } from './keep-focus.ts'
import { ToastRegion } from './toasts/toast-region.tsx'
import { TooltipLayer } from './tooltip/tooltip-layer.tsx'

/** Everything in web/ui must be rendered inside this. Use it once, at the root. */
export function UiProvider({ children }: { children: ReactNode }) {
  // The focus lives outside React.
  useEffect(keepFocus, [])
  useEffect(refuseStrayFiles, [])
  return (
    <>
      {children}
      <DiscardQuestion />
      <ToastRegion />
      <TooltipLayer />
    </>
  )
}
