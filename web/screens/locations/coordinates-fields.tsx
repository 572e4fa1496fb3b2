import { type ClipboardEvent, type ReactNode, useState } from 'react'
import type { FieldProps } from '#web/ui/field/field-frame.tsx'
import { TextField } from '#web/ui/field/fields.tsx'
import { FieldRow } from '#web/ui/form-modal/form-modal.tsx'
import { NumberField, parseNumberText } from '#web/ui/number-field/number-field.tsx'
import { type Coordinates, isShortLink, parseCoordinates } from './coordinates.ts'
import styles from './location-form.module.css'

type Side = 'latitude' | 'longitude'
type Note = { field: Side | 'link'; words: string; isProblem: boolean }

type CoordinatesFieldsProps = Record<Side, Omit<FieldProps<number | string>, 'label'>> & {
  onFound: (coordinates: Coordinates) => void
}

/** Latitude and longitude. Coordinates or a link copied from a map, pasted into any of the fields, fill both. */
export function CoordinatesFields({ onFound, ...sides }: CoordinatesFieldsProps) {
  const [link, setLink] = useState('')
  const [note, setNote] = useState<Note>()

  /** Fills both fields if the text contains coordinates. Shows what was understood, or why nothing was. */
  function take(field: Note['field'], text: string) {
    const found = parseCoordinates(text)
    if (typeof found === 'object') onFound(found)
    setNote({ field, words: describe(found, text), isProblem: typeof found !== 'object' })
  }

  function changeLink(text: string) {
    setLink(text)
    // Text that is neither a link nor coordinates may still be being typed, so it is no error.
    if (text.includes('/') || parseCoordinates(text) !== undefined) take('link', text)
    else setNote(undefined)
  }

  const toSideProps = (side: Side) => ({
    ...sides[side],
    ...toNoteProps(note, side),
    onChange: (value: number | string) => {
      setNote(undefined)
      sides[side].onChange?.(value)
    },
    onPaste: (event: ClipboardEvent) => {
      const text = event.clipboardData.getData('text')
      if (typeof parseNumberText(text) === 'number' || text.trim() === '') return
      event.preventDefault()
      take(side, text)
    },
    onBlur: () => {
      const typed = String(sides[side].value)
      if (parseCoordinates(typed) !== undefined) take(side, typed)
    },
  })

  return (
    <div className={styles.fields}>
      <FieldRow>
        <NumberField label="Latitude" {...toSideProps('latitude')} />
        <NumberField label="Longitude" {...toSideProps('longitude')} />
      </FieldRow>
      <TextField
        label="Map link"
        hint="From Google Maps, OpenStreetMap or Apple Maps, or two numbers such as -33.9, 18.4: fills both."
        spellCheck={false}
        {...toNoteProps(note, 'link')}
        value={link}
        onChange={changeLink}
        onBlur={() => link.trim() !== '' && take('link', link)}
      />
    </div>
  )
}

function toNoteProps(note: Note | undefined, field: Note['field']): { hint?: ReactNode; error?: ReactNode } {
  if (note?.field !== field) return {}
  const words = <span aria-live="polite">{note.words}</span>
  return note.isProblem ? { error: words } : { hint: words }
}

function describe(found: ReturnType<typeof parseCoordinates>, text: string): string {
  if (typeof found === 'object') return `Understood: latitude ${found.latitude}, longitude ${found.longitude}.`
  if (found === 'off the globe') return 'These coordinates lie off the globe: latitude comes first, then longitude.'
  if (isShortLink(text))
    return 'A short link holds no coordinates. Open it and copy the address that the browser then shows.'
  return 'No coordinates found in what was pasted. Try a map’s link, or two numbers such as -33.9, 18.4.'
}
