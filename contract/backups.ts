import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { timeText } from './fields.ts'
import { routes } from './routes.ts'

const BackupsSchema = z.object({
  /** Whether the settings say where backups are kept. */
  isOn: z.boolean(),
  /** The most recent backup that was created and then read back completely. */
  last: z.nullable(z.object({ madeAt: timeText, checkedAt: timeText, bytes: z.int(), rows: z.int(), images: z.int() })),
  nextAt: z.nullable(timeText),
})

export type Backups = z.infer<typeof BackupsSchema>

export const backupEndpoints = {
  get: endpoint(routes.backups.get, { response: BackupsSchema }),
}
