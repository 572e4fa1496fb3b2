import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { routes } from './routes.ts'

/** A stored image. URLs are relative to the origin (rules §17.3). */
const UploadedImageSchema = z.object({
  public_id: z.string(),
  url: z.string(),
  thumbnail: z.string(),
  /** A tiny image as a data: URL, shown blurred while the real one loads. */
  placeholder: z.string(),
  width: z.int(),
  height: z.int(),
})
export type UploadedImage = z.infer<typeof UploadedImageSchema>

export const uploadEndpoints = {
  create: endpoint(routes.uploads.create, {
    kind: 'multipart',
    files: { part: 'images', several: true },
    response: z.object({ message: z.string(), files: z.array(UploadedImageSchema) }),
  }),
}
