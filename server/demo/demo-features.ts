import type { FeatureIconKey } from '#contract/feature-icons.ts'

type DemoFeature = { key: string; name: string; icon: FeatureIconKey; isBlocked?: true }

/** In the order in which they are listed. */
export const demoFeatures = [
  { key: 'wifi', name: 'Fast Wi-Fi', icon: 'wifi' },
  { key: 'screen', name: '4K screen', icon: 'device-tv' },
  { key: 'video', name: 'Video conferencing', icon: 'video' },
  { key: 'whiteboard', name: 'Whiteboard', icon: 'chalkboard' },
  { key: 'coffee', name: 'Coffee and tea', icon: 'coffee' },
  { key: 'power', name: 'Backup power', icon: 'battery-charging' },
  { key: 'quiet', name: 'Soundproof walls', icon: 'volume-off' },
  { key: 'air', name: 'Air conditioning', icon: 'air-conditioning' },
  { key: 'parking', name: 'Secure parking', icon: 'parking' },
  { key: 'access', name: 'Step-free access', icon: 'wheelchair' },
  { key: 'desk', name: 'Standing desk', icon: 'desk' },
  { key: 'projector', name: 'Projector', icon: 'device-projector', isBlocked: true },
] as const satisfies readonly DemoFeature[]

export type DemoFeatureKey = (typeof demoFeatures)[number]['key']
