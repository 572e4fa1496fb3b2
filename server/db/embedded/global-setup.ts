import { buildDatabaseWorker } from './build-worker.ts'

/** Vitest runs the sources, where the worker is not built yet. */
export function setup(): Promise<void> {
  return buildDatabaseWorker()
}
