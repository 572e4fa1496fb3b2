/** Returns the name of a staff member or customer; '' when they have none. */
export function toFullName({ firstname, lastname }: { firstname: string; lastname: string }): string {
  return `${firstname} ${lastname}`.trim()
}
