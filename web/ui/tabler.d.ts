/** The package types only its barrel of 5,000 icons, which would slow every test and the development server. */
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  export const __iconNode: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[]
}
