import type { EditedRecord, Editor, LiveEditors } from '#contract/live.ts'
import type { Clock } from '#server/clock.ts'

/** A form counts as closed after this time without a report; the portal reports open forms every 20 seconds. */
const EXPIRES_AFTER_MS = 45_000
/** The most forms of one session. */
const MAX_FORMS = 20

/** A tab with an open form; `record` is null once the form is closed. */
export type EditingTab = { session: string; tab: string; editor: Editor; record: EditedRecord | null }

/** Creates the in-memory register of records that are open in forms, and by whom, on all servers. */
export function createEditors(clock: Clock) {
  const forms = new Map<string, EditingTab & { record: EditedRecord; expiresAt: number }>()

  const isSame = (a: EditedRecord, b: EditedRecord) => a.entity === b.entity && a.id === b.id

  function list(record: EditedRecord): Editor[] {
    const editors = [...forms.values()].filter((form) => isSame(form.record, record)).map(({ editor }) => editor)
    return [...new Map(editors.map((editor) => [editor._id, editor])).values()]
  }

  const withEditors = ({ entity, id }: EditedRecord): LiveEditors => ({ entity, id, editors: list({ entity, id }) })

  /** Runs `change`, and returns the records whose editors it has changed. */
  function watch(records: readonly EditedRecord[], change: () => void): LiveEditors[] {
    const distinct = toDistinct(records)
    const before = distinct.map((record) => JSON.stringify(list(record)))
    change()
    return distinct.map(withEditors).filter(({ editors }, index) => JSON.stringify(editors) !== before[index])
  }

  return {
    list,
    all: (): LiveEditors[] => toDistinct([...forms.values()].map(({ record }) => record)).map(withEditors),
    set(tab: EditingTab): LiveEditors[] {
      const ofSession = () => [...forms].filter(([other]) => other.startsWith(`${tab.session} `))
      const key = `${tab.session} ${tab.tab}`
      const { record } = tab
      const open = ofSession().map(([, form]) => form.record)
      // Editors of an open record change too when its form is dropped below.
      return watch(record ? [...open, record] : open, () => {
        forms.delete(key)
        if (record === null) return
        forms.set(key, { ...tab, record, expiresAt: clock.now().getTime() + EXPIRES_AFTER_MS })
        for (const [oldest] of ofSession().slice(0, -MAX_FORMS)) forms.delete(oldest)
      })
    },
    expire(): LiveEditors[] {
      const expired = [...forms].filter(([, { expiresAt }]) => expiresAt <= clock.now().getTime())
      return watch(
        expired.map(([, { record }]) => record),
        () => {
          for (const [key] of expired) forms.delete(key)
        },
      )
    },
  }
}

function toDistinct(records: readonly EditedRecord[]): EditedRecord[] {
  return [...new Map(records.map((record) => [`${record.entity} ${record.id}`, record])).values()]
}
