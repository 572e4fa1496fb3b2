/** The image store does not answer, or refuses this server. */
export class StoreError extends Error {
  /** The store's own word, when it has answered: it will answer the same until somebody corrects a setting, there or here. */
  readonly refusal: string | undefined

  constructor(message: string, { refusal, cause }: { refusal?: string; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'StoreError'
    this.refusal = refusal
  }
}
