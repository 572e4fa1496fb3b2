/** Returns the list with the item at `from` moved to `to`. */
export function toMoved<T>(items: readonly T[], from: number, to: number): T[] {
  const moved = items[from]
  if (moved === undefined) return [...items]
  return items.toSpliced(from, 1).toSpliced(to, 0, moved)
}
