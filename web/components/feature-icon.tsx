import type { ComponentType } from 'react'
import type { FeatureIconKey } from '#contract/feature-icons.ts'
import type { IconProps } from '#web/ui/icons/drawn-icon.tsx'
import { namedIcons } from '#web/ui/icons/named-icons.tsx'
import styles from './feature-icon.module.css'

/** Typed so that a name in the contract that has no icon is a compile error. */
const icons: Record<FeatureIconKey, ComponentType<IconProps>> = namedIcons

export function isDrawn(name: string): name is FeatureIconKey {
  return Object.hasOwn(icons, name)
}

/** The icon of a feature, or a plain dot for a name that the portal does not draw. */
export function FeatureIcon({ name, size = 18 }: { name: string; size?: NonNullable<IconProps['size']> }) {
  if (!isDrawn(name)) return <span className={styles.dot} style={{ width: size, height: size }} aria-hidden />
  const Icon = icons[name]
  return <Icon size={size} />
}
