import { buildDatabaseWorker, buildModule } from './build-worker.ts'
import { prepareTestCluster } from './test-cluster.ts'
import { crashWriterUrl } from './test-processes.ts'

/** Builds the worker and the second process first: Vitest runs the sources, from which neither could start. */
export async function setup(): Promise<void> {
  await buildDatabaseWorker()
  await buildModule(new URL('./crash-writer.ts', import.meta.url), crashWriterUrl)
  await prepareTestCluster()
}
