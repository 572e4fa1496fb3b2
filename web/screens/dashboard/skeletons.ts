/** Keys of the cards that stand in a carousel while it loads: one more than a view holds, so that it scrolls as later. */
export const skeletons = ['first', 'second', 'third'] as const
