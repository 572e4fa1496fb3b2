import type { ReactNode } from 'react'
import type { Pod, PodImage } from '#contract/pods.ts'
import { SECRET_MASK } from '#contract/secrets.ts'
import { toImageSource } from '#web/components/image-source.ts'
import type { KnownOptions } from '#web/components/known-options.ts'
import { toLocationOption } from '#web/components/location-field.tsx'
import { Image } from '#web/ui/image/image.tsx'
import type { LookupOption } from '#web/ui/lookup-field/lookup-field.tsx'
import { bufferOptions, type PodField, type PodValues, toPodValues } from './pod-values.ts'
import styles from './pods.module.css'
import { toFeatureOption } from './use-feature-lookup.ts'

/** The values of a pod that an edit conflict compares: all that the form shows. */
type ComparedPod = PodValues & { images: PodImage[] }

export function toComparedPod(pod: Pod): ComparedPod {
  return { ...toPodValues(pod), images: pod.images.map(toComparedImage) }
}

/** Reduces an image to the fields that both uploaded and stored images have, so that they compare as equal. */
export function toComparedImage({ public_id, url, thumbnail }: PodImage): PodImage {
  return { public_id, url, ...(thumbnail === undefined ? {} : { thumbnail }) }
}

export function toPodOptions({ location, features }: Pod): LookupOption[] {
  return [toLocationOption(location), ...features.map(toFeatureOption)]
}

/** Renders values that are not readable as they are; undefined for the others. Never shows a password. */
export function showPodValue(name: PodField, values: ComparedPod, known: KnownOptions): ReactNode {
  if (name === 'location') return known.get(values.location ?? '')?.label
  if (name === 'bufferMinutes') return bufferOptions.find(({ value }) => value === values.bufferMinutes)?.label
  if (name === 'features') return values.features.map((id) => known.get(id)?.label ?? id).join(', ')
  if (name === 'password') return values.password === SECRET_MASK ? 'Unchanged' : 'A new password'
  if (name !== 'images') return undefined
  return (
    <span className={styles.comparedImages}>
      {values.images.map(({ url, thumbnail }, index) => (
        <Image key={url} src={toImageSource(thumbnail ?? url)} alt={`Image ${index + 1}`} width={56} />
      ))}
    </span>
  )
}
