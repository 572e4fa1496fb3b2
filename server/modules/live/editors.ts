import type { EditedRecord, Editor, LiveEditors } from '#contract/live.ts'
import type { Clock } from '#server/clock.ts'

/** A form that is not heard of for so long is closed; the portal repeats it every 20 seconds. */
const EXPIRES_AFTER_MS = 45_000
/** Of one session: a browser has few tabs with a form. */
const MAX_FORMS = 20

/** A tab with an open form, or, without a record, one that has closed it. */
export type EditingTab = { session: string; tab: string; editor: Editor; record: EditedRecord | null }

/** Which records are open in forms, and whose: of all servers, in memory alone. */
export function createEditors(clock: Clock) {
  const forms = new Map<string, EditingTab & { record: EditedRecord; expiresAt: number }>()

  const isSame = (a: EditedRecord, b: EditedRecord) => a.entity === b.entity && a.id === b.id

  function list(record: EditedRecord): Editor[] {
    const editors = [...forms.values()].filter((form) => isSame(form.record, record)).map(({ editor }) => editor)
    return [...new Map(editors.map((editor) => [editor._id, editor])).values()]
  }

  const withEditors = ({ entity, id }: EditedRecord): LiveEditors => ({ entity, id, editors: list({ entity, id }) })

  /** Does `change`, and returns those of the records whose editors are others now. */
  function watch(records: readonly EditedRecord[], change: () => void): LiveEditors[] {
    const before = records.map((record) => JSON.stringify(list(record)))
    change()
    return records.map(withEditors).filter(({ editors }, index) => JSON.stringify(editors) !== before[index])
  }

  return {
    list,
    all: (): LiveEditors[] => {
      const records = [...forms.values()].map(({ record }) => record)
      const distinct = new Map(records.map((record) => [`${record.entity} ${record.id}`, record]))
      return [...distinct.values()].map(withEditors)
    },
    set(tab: EditingTab): LiveEditors[] {
      const key = `${tab.session} ${tab.tab}`
      const { record } = tab
      const previous = forms.get(key)?.record
      const records = [previous, record].filter((one) => one !== undefined && one !== null)
      return watch(records, () => {
        forms.delete(key)
        if (record === null) return
        forms.set(key, { ...tab, record, expiresAt: clock.now().getTime() + EXPIRES_AFTER_MS })
        const ofSession = [...forms.keys()].filter((other) => other.startsWith(`${tab.session} `))
        for (const oldest of ofSession.slice(0, -MAX_FORMS)) forms.delete(oldest)
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
