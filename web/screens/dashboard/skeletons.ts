/** Keys of a loading carousel's placeholder cards: one more than fits, so that it scrolls as it will when loaded. */
export const skeletons = ['first', 'second', 'third'] as const
