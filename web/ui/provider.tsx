import './base.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { theme } from './theme.ts'
import { ToastRegion } from './toast-region.tsx'
import { TooltipLayer } from './tooltip-layer.tsx'

// The key is also read by public/color-scheme.js before the first paint.
const colorSchemeManager = localStorageColorSchemeManager({ key: 'color-scheme' })

/** Everything in web/ui works inside this, once, at the root. */
export function UiProvider({ children }: { children: ReactNode }) {
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
      <ToastRegion />
      <TooltipLayer />
    </MantineProvider>
  )
}
