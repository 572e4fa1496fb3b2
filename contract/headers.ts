/** Seconds since the person last used the portal that sends the request. */
export const IDLE_HEADER = 'x-idle-seconds'

/** Identifies the tab that sends a request, so that it recognises its own changes when it is told of them. */
export const TAB_HEADER = 'x-tab-id'
