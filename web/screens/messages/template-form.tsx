import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import {
  defaultTexts,
  findPlaceholderProblem,
  maxLengths,
  type Placeholder,
  placeholders,
  type TemplateTexts,
} from '#contract/message-templates.ts'
import type { Template } from '#contract/messages.ts'
import { submit } from '#web/api/check-body.ts'
import { api } from '#web/api/client.ts'
import { MailBody } from '#web/components/mail-body.tsx'
import { mailKindLabels } from '#web/components/mail-words.ts'
import { Unloaded } from '#web/components/unloaded.tsx'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { useSettled } from '#web/lib/delayed.ts'
import { Button } from '#web/ui/button/button.tsx'
import { TextAreaField, TextField } from '#web/ui/field/fields.tsx'
import { FormModal } from '#web/ui/form-modal/form-modal.tsx'
import { IconRefresh } from '#web/ui/icons/icons.tsx'
import styles from './customer-messages.module.css'

const toValues = ({ subject, body }: TemplateTexts): TemplateTexts => ({ subject, body })
const names = Object.keys(placeholders) as Placeholder[] // exactly the keys of `placeholders`

/** Edits subject and text of a message to customers, with its placeholders and a preview (rules §32.7). */
export function TemplateForm({ template, onClose }: { template: Template; onClose: () => void }) {
  const { form, modal } = useFormDialog({
    initialValues: toValues(template),
    edits: { entity: 'template', id: template._id },
    edited: { record: template, toValues, labels: { subject: 'Subject', body: 'Text' } },
    save: (body, version) => submit('messages', 'setTemplate', { params: { id: template._id }, version, body }),
    success: 'Message saved',
    domain: 'messages',
    onClose,
  })
  const values = form.getValues()
  const fieldProps = (name: keyof TemplateTexts) => ({
    ...form.getInputProps(name),
    error: findPlaceholderProblem(values[name]) ?? form.errors[name],
  })
  // The field used last: the next placeholder is inserted at its cursor.
  const last = useRef<{ name: 'subject' | 'body'; field: HTMLInputElement | HTMLTextAreaElement }>(undefined)

  const remember = (name: 'subject' | 'body') => (event: React.FocusEvent) => {
    const field = event.target
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) last.current = { name, field }
  }

  function insert(placeholder: Placeholder) {
    const { name = 'body', field } = last.current ?? {}
    const text = values[name]
    const from = field?.selectionStart ?? text.length
    const inserted = `{${placeholder}}`
    form.setFieldValue(name, text.slice(0, from) + inserted + text.slice(field?.selectionEnd ?? from))
    requestAnimationFrame(() => {
      field?.focus()
      field?.setSelectionRange(from + inserted.length, from + inserted.length)
    })
  }

  const own = defaultTexts[template.kind]
  const isOwn = values.subject === own.subject && values.body === own.body
  return (
    <FormModal title={`Message: ${mailKindLabels[template.kind]}`} width={720} submitLabel="Save" {...modal}>
      <div onFocus={remember('subject')}>
        <TextField label="Subject" required {...fieldProps('subject')} />
      </div>
      <div onFocus={remember('body')}>
        <TextAreaField
          label="Text"
          required
          rows={7}
          hint="An empty line begins a new paragraph. The greeting, the times and the code are added."
          {...fieldProps('body')}
        />
      </div>
      <fieldset className={styles.placeholders}>
        <legend>Insert</legend>
        {names.map((name) => (
          <div key={name} className={styles.placeholder}>
            <Button size="small" onClick={() => insert(name)}>
              {`{${name}}`}
            </Button>
            {placeholders[name]}
          </div>
        ))}
      </fieldset>
      <div>
        <Button size="small" icon={<IconRefresh size={14} />} disabled={isOwn} onClick={() => form.setValues(own)}>
          Back to the original texts
        </Button>
      </div>
      <Preview template={template} texts={values} />
    </FormModal>
  )
}

const REST_MS = 250

function Preview({ template: { _id }, texts }: { template: Template; texts: TemplateTexts }) {
  const { subject, body } = texts
  const rested = useSettled(
    useMemo(() => ({ subject, body }), [subject, body]),
    REST_MS,
  )
  const query = useQuery({
    queryKey: ['messages', 'preview', _id, rested],
    queryFn: ({ signal }) => api('messages', 'preview', { params: { id: _id }, body: rested, signal }),
    // What is wrong with the texts is said at their fields; the last preview stays meanwhile.
    enabled: isShowable('subject', rested.subject) && isShowable('body', rested.body),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  })
  const mail = query.data?.data
  return (
    <section aria-label="Preview">
      <h3 className={styles.previewTitle}>Preview</h3>
      <Unloaded query={query} title="The preview could not be made" />
      {mail && !query.error && (
        <>
          <p className={styles.words}>
            {mail.isExample ? 'With an example: no customer has booked yet.' : 'With the newest booking of a customer.'}
          </p>
          <MailBody {...mail} />
        </>
      )}
    </section>
  )
}

function isShowable(name: keyof TemplateTexts, text: string): boolean {
  const length = text.trim().length
  return length > 0 && length <= maxLengths[name] && findPlaceholderProblem(text) === undefined
}
