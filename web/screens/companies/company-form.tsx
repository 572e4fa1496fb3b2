import type { Company } from '#contract/companies.ts'
import { companyLabels } from '#contract/field-labels.ts'
import { submit } from '#web/api/check-body.ts'
import { useFormDialog } from '#web/components/use-form-dialog.ts'
import { toTexts } from '#web/lib/fields.ts'
import { TextAreaField, TextField } from '#web/ui/field/fields.tsx'
import { FieldRow, FormModal } from '#web/ui/form-modal/form-modal.tsx'

type CompanyValues = Omit<Company, '_id' | 'version'>

const toValues = (company: Company | undefined): CompanyValues => toTexts(companyLabels, company)

type CompanyFormProps = {
  /** The company to edit; undefined to add one. */
  company: Company | undefined
  onClose: () => void
}

export function CompanyForm({ company, onClose }: CompanyFormProps) {
  const { form, modal } = useFormDialog({
    initialValues: toValues(company),
    edits: { entity: 'company', id: company?._id },
    edited: company && { record: company, toValues, labels: companyLabels },
    save: (body, version) =>
      company === undefined
        ? submit('companies', 'create', { body })
        : submit('companies', 'update', { params: { id: company._id }, version, body }),
    success: company === undefined ? 'Company added' : 'Company updated successfully',
    domain: 'companies',
    labels: companyLabels,
    onClose,
  })
  return (
    <FormModal
      title={company === undefined ? 'Add Company' : 'Edit Company'}
      submitLabel={company === undefined ? 'Add Company' : 'Save changes'}
      {...modal}
    >
      <TextField label={companyLabels.name} required {...form.getInputProps('name')} />
      <TextField label={companyLabels.contactName} {...form.getInputProps('contactName')} />
      <FieldRow>
        <TextField label={companyLabels.email} type="email" autoComplete="off" {...form.getInputProps('email')} />
        <TextField label={companyLabels.phone} type="tel" {...form.getInputProps('phone')} />
      </FieldRow>
      <FieldRow>
        <TextField label={companyLabels.vatNumber} {...form.getInputProps('vatNumber')} />
        <TextField label={companyLabels.costCentre} {...form.getInputProps('costCentre')} />
      </FieldRow>
      <TextAreaField label={companyLabels.billingAddress} {...form.getInputProps('billingAddress')} />
    </FormModal>
  )
}
