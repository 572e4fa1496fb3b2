import 'react'

declare module 'react' {
  interface CSSProperties {
    // Custom properties are as good as any other in a style.
    [name: `--${string}`]: string | number | undefined
  }
}
