/**
 * Defaults for pod fields that are not sent (rules §5.1). Kept apart from the schemas because the pod form starts from
 * them too.
 */
export const POD_DEFAULTS = {
  timeSlot: '9am-5pm',
  tags: 'Cape Town, Meeting Room',
  productId: 'prod00qd',
  isAvailable: true,
  ratingCount: 0,
  totalRating: '0',
  category: '019a9c00-0000-7000-8000-000000000001',
}

export const MAX_PODS_FEATURES = 100
export const MAX_POD_IMAGES = 30

/** Maximum cleaning time after a booking, in minutes. */
export const MAX_BUFFER_MINUTES = 120
