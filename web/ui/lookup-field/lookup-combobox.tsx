import { Combobox } from '@base-ui/react/combobox'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { toCounted, toCountText } from '#web/lib/format.ts'
import { classNames } from '../class-names.ts'
import type { useField } from '../field/field-frame.tsx'
import { IconCheck } from '../icons/icons.tsx'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import { toChipText } from './chip-text.ts'
import styles from './lookup-combobox.module.css'
import fieldStyles from './lookup-field.module.css'
import type { Lookup, LookupOption } from './lookup-field.tsx'
import type { useLookupSearch } from './use-lookup-search.ts'

type ComboboxProps = {
  lookup: Lookup
  search: ReturnType<typeof useLookupSearch>
  input: ReturnType<typeof useField>['input']
  /** The field with what is below it, so that the list does not cover an error and its Retry. */
  anchor: RefObject<HTMLElement | null>
}

export function SingleCombobox(props: ComboboxProps & { selected: LookupOption | undefined }) {
  const { search, selected } = props
  return (
    <Combobox.Root
      {...useRootProps(props)}
      value={selected ?? null}
      onValueChange={(option, details) => {
        // Clearing the text to type something else does not clear the choice.
        if (option === null) details.cancel()
        else search.onPick(option)
      }}
    >
      <ComboboxInput {...props} />
      <ChoiceList {...props} />
    </Combobox.Root>
  )
}

type MultiComboboxProps = ComboboxProps & {
  selected: readonly LookupOption[]
  onChange: (options: readonly LookupOption[]) => void
}

/** The value of the last option, which stands for everything that was found. */
const ALL = 'all'

export function MultiCombobox(props: MultiComboboxProps) {
  const { lookup, search, selected, onChange } = props
  const { all } = lookup
  const rootProps = useRootProps(props)
  const items =
    all && search.options.length > 0
      ? [...search.options, { value: ALL, label: `Choose all ${toCountText(all.count)}` }]
      : search.options
  return (
    <Combobox.Root
      {...rootProps}
      items={items}
      multiple
      value={[...selected]}
      onValueChange={(options, details) => {
        if (details.reason === 'escape-key') return details.cancel()
        if (options.at(-1)?.value !== ALL) return onChange(options)
        details.cancel()
        search.setOpen(false)
        all?.choose()
      }}
    >
      <Combobox.Chips className={selected.length > 0 ? fieldStyles.chips : undefined}>
        {selected.map((option) => (
          <Combobox.Chip key={option.value} className={fieldStyles.chip} title={toChipText(option)}>
            {toChipText(option)}
            <Combobox.ChipRemove aria-label={`Remove ${toChipText(option)}`} data-remove={option.value} />
          </Combobox.Chip>
        ))}
        <ComboboxInput {...props} />
      </Combobox.Chips>
      <ChoiceList {...props} />
    </Combobox.Root>
  )
}

function useRootProps({ search, input }: ComboboxProps) {
  const actionsRef = useRef<Combobox.Root.Actions>(null)
  const { isOpen } = search
  // The library itself would wait for the end of an animation of its own Popup, which is not used here.
  useEffect(() => {
    if (!isOpen) actionsRef.current?.unmount()
  }, [isOpen])
  return {
    actionsRef,
    items: search.options,
    // The options have already been searched for the typed text.
    filter: null,
    isItemEqualToValue: (one: LookupOption, other: LookupOption) => one.value === other.value,
    itemToStringLabel: (option: LookupOption) => option.label,
    // Only the arrow keys do: the ring would follow the pointer.
    highlightItemOnHover: false,
    disabled: input.disabled ?? false,
    inputValue: search.text,
    onInputValueChange: (text: string, { reason }: { reason: string }) => {
      if (reason === 'input-change') search.type(text)
    },
    open: search.isOpen,
    onOpenChange: (open: boolean, { reason }: { reason: string }) => {
      // A press outside also takes the focus away, and the list closes then: onBlur still has to see the typed text.
      if (reason !== 'outside-press') search.setOpen(open)
    },
  }
}

function ComboboxInput({ search, input }: ComboboxProps) {
  return (
    <Combobox.Input
      {...input}
      onFocus={(event) => {
        input.onFocus?.(event)
        search.setOpen(true)
      }}
      onBlur={(event) => {
        input.onBlur?.(event)
        search.setOpen(false)
      }}
      onKeyDown={(event) => {
        search.onKeyDown(event)
        // While the list is closed Escape is for the dialog; the library would clear the field.
        if (event.isDefaultPrevented() || (event.key === 'Escape' && !search.isOpen)) event.preventBaseUIHandler()
      }}
    />
  )
}

function ChoiceList({ lookup, search, input, anchor }: ComboboxProps) {
  const container = useRef<HTMLDivElement>(null)
  const { problem, loading = false, nothingFound = 'Nothing found', more } = lookup
  const count = search.options.length
  // In a field for several, what is chosen is not listed again.
  const isAllChosen = count === 0 && lookup.options.length > 0
  const none = problem
    ? 'The choices could not be loaded.'
    : loading
      ? 'Loading…'
      : isAllChosen
        ? 'Everything found is chosen.'
        : nothingFound
  return (
    // Rendered in place, so that the list belongs to the dialog or landmark that its field is in.
    <div ref={container}>
      <Combobox.Portal container={container}>
        <Combobox.Positioner
          className={styles.positioner}
          positionMethod="fixed"
          anchor={anchor}
          align="start"
          sideOffset={4}
        >
          {/* Not Combobox.Popup, which hides everything else from screen readers, even the error below the field. */}
          {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a press here leaves the focus in the field */}
          <div className={styles.popup} onMouseDown={(event) => event.preventDefault()}>
            <Combobox.Empty>
              <p className={styles.note}>{none}</p>
            </Combobox.Empty>
            <Combobox.Status>
              {more === undefined ? (
                <VisuallyHidden>{count > 0 && !loading && toCounted(count, 'choice', 'choices')}</VisuallyHidden>
              ) : (
                <p className={styles.note}>{more}</p>
              )}
            </Combobox.Status>
            <Combobox.List className={styles.list} aria-labelledby={`${input.id}-label`}>
              {(option: LookupOption) => (
                <Combobox.Item
                  key={option.value}
                  value={option}
                  className={classNames(styles.option, option.value === ALL && styles.all)}
                >
                  <OptionWords option={option} />
                  <Combobox.ItemIndicator className={styles.check}>
                    <IconCheck size={16} />
                  </Combobox.ItemIndicator>
                </Combobox.Item>
              )}
            </Combobox.List>
          </div>
        </Combobox.Positioner>
      </Combobox.Portal>
    </div>
  )
}

function OptionWords({ option: { label, detail, image } }: { option: LookupOption }): ReactNode {
  return (
    <>
      {image}
      <span className={styles.words}>
        <span className={styles.label} title={label}>
          {label}
        </span>
        {detail && (
          <span className={styles.detail} title={detail}>
            {detail}
          </span>
        )}
      </span>
    </>
  )
}
