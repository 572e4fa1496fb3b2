/** Who may import whom: the rooms of the house (docs/architecture.md). */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'contract-imports-only-zod',
      severity: 'error',
      from: { path: '^contract/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(contract/|node_modules/zod/)' },
    },
    { name: 'server-never-web', severity: 'error', from: { path: '^server/' }, to: { path: '^web/' } },
    { name: 'web-never-server', severity: 'error', from: { path: '^web/' }, to: { path: '^server/' } },
    {
      name: 'no-routes-of-other-modules',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/app\\.ts$|\\.test\\.ts$' },
      to: { path: '^server/modules/[^/]+/[^/]+\\.routes\\.ts$' },
    },
    {
      name: 'screens-never-import-screens',
      severity: 'error',
      from: { path: '^web/screens/([^/]+)/' },
      to: { path: '^web/screens/', pathNot: '^web/screens/$1/' },
    },
    {
      name: 'only-ui-imports-the-component-library',
      severity: 'error',
      from: { path: '^web/', pathNot: '^web/(ui|main\\.tsx)' },
      to: { path: 'node_modules/(@mantine|@dnd-kit|@tabler)' },
    },
    {
      name: 'ui-knows-no-domain',
      severity: 'error',
      from: { path: '^web/ui/' },
      to: { path: '^(contract|web/(api|components|screens|shell))/' },
    },
    {
      name: 'components-below-screens',
      severity: 'error',
      from: { path: '^web/(components|lib|api|shell)/' },
      to: { path: '^web/screens/' },
    },
    {
      name: 'product-never-imports-tests',
      severity: 'error',
      from: { path: '^(contract|server|web)/', pathNot: '\\.test\\.tsx?$|^server/testing/' },
      to: { path: '\\.test\\.tsx?$|^server/testing/|node_modules/(vitest|fast-check)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
}
