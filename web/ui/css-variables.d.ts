import 'react'

declare module 'react' {
  interface CSSProperties {
    // Allows custom properties in the `style` prop.
    [name: `--${string}`]: string | number | undefined
  }
}
