/** Thrown when an S3 store does not respond, or refuses this server. */
export class StoreError extends Error {
  /** The store's error code, if it responded: it stays the same until somebody corrects a setting, there or here. */
  readonly refusal: string | undefined

  constructor(message: string, { refusal, cause }: { refusal?: string; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'StoreError'
    this.refusal = refusal
  }
}
