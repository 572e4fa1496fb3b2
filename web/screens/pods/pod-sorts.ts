/** How the list of pods can be sorted, as it stands in the URL and in the call. */
export const podSorts = ['-createdAt', 'createdAt', 'title', '-title', 'rate', '-rate'] as const

export type PodSort = (typeof podSorts)[number]

export const podSortLabels: Record<PodSort, string> = {
  '-createdAt': 'Newest first',
  createdAt: 'Oldest first',
  title: 'Title A to Z',
  '-title': 'Title Z to A',
  rate: 'Lowest rate first',
  '-rate': 'Highest rate first',
}
