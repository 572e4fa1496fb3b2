import { buildDatabaseWorker, buildModule } from './build-worker.ts'
import { prepareTestCluster } from './test-cluster.ts'
import { crashWriterUrl } from './test-processes.ts'

/** Vitest runs the sources, where neither the worker nor a second process could start: both are built first. */
export async function setup(): Promise<void> {
  await buildDatabaseWorker()
  await buildModule(new URL('./crash-writer.ts', import.meta.url), crashWriterUrl)
  await prepareTestCluster()
}
