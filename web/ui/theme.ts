import { createTheme, type MantineColorsTuple } from '@mantine/core'

// Ten times the same shade: the colour of a scheme comes from the tokens, not from a ramp.
const brand: MantineColorsTuple = [
  '#fdecec',
  '#fbd5d7',
  '#f4a6ab',
  '#ee757d',
  '#e84d57',
  '#e03340',
  '#db2836',
  '#d6202f',
  '#b81926',
  '#9c141f',
]

/** Only what Mantine computes in script; what it reads from CSS is in mantine.css. */
export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: 7,
  colors: { brand },
  cursorType: 'pointer',
  defaultRadius: 'md',
  respectReducedMotion: true,
})
