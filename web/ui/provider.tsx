import './base.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { DiscardQuestion } from './confirm-dialog/discard-question.tsx'
import { keepFocus } from './keep-focus.ts'
import { theme } from './theme.ts'
import { ToastRegion } from './toasts/toast-region.tsx'
import { TooltipLayer } from './tooltip/tooltip-layer.tsx'

// The key is also read by public/color-scheme.js before the first paint.
const colorSchemeManager = localStorageColorSchemeManager({ key: 'color-scheme' })

/** Everything in web/ui works inside this, once, at the root. */
export function UiProvider({ children }: { children: ReactNode }) {
  // The focus lives outside React.
  useEffect(keepFocus, [])
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      withCssVariables={false}
      withGlobalClasses={false}
      withStaticClasses={false}
    >
      {children}
      <DiscardQuestion />
      <ToastRegion />
      <TooltipLayer />
    </MantineProvider>
  )
}
