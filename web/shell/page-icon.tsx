import {
  IconBriefcase,
  IconBuildingSkyscraper,
  IconCalendar,
  IconCube,
  IconLayoutDashboard,
  IconMapPin,
  IconReceipt,
  IconShieldLock,
  IconSparkles,
  IconUsers,
} from '#web/ui/icons/icons.tsx'

/** By page code. */
const icons: Record<number, typeof IconCube> = {
  1: IconLayoutDashboard,
  2: IconSparkles,
  3: IconCube,
  4: IconReceipt,
  5: IconUsers,
  6: IconCalendar,
  7: IconMapPin,
  8: IconShieldLock,
  9: IconBriefcase,
}

export function PageIcon({ id }: { id: number }) {
  const Icon = icons[id] ?? IconBuildingSkyscraper
  return <Icon size={18} />
}
