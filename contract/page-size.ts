/** Rows of a list's page. Kept apart from the schemas because the portal reads some lists page by page. */
export const DEFAULT_PAGE_SIZE = 10
export const MAX_PAGE_SIZE = 100
