import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { findCountryName } from '#web/lib/country-name.ts'
import type { FieldProps } from '#web/ui/field/field-frame.tsx'
import { LookupField } from '#web/ui/lookup-field/lookup-field.tsx'
import { toProblem } from '#web/ui/problem.ts'

type CountryFieldProps = FieldProps<string> & {
  /** The stored text, which older locations may have instead of a country code. */
  stored: string | undefined
}

/** A country, found by typing. The list of countries is loaded when the field is first used. */
export function CountryField({ stored = '', value = '', onChange, ...props }: CountryFieldProps) {
  const [search, setSearch] = useState('')
  const [isOpened, setOpened] = useState(false)
  const countries = useQuery({
    queryKey: ['countries'],
    queryFn: () => import('#contract/countries.ts'),
    enabled: isOpened,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const options = useMemo(
    () => countries.data?.listCountries(search).map((code) => toOption(code, countries.data.toCountryName(code))) ?? [],
    [countries.data, search],
  )
  const name = findCountryName(value)
  const isUnknown = stored !== '' && findCountryName(stored) === undefined && value === ''
  /** Accepts a fully typed name or code when the field is left, without choosing from the list. */
  async function chooseTyped(typed: string) {
    // Without waiting once they are loaded: the click that leaves the field may save the form.
    const loaded = countries.data ?? (await countries.refetch()).data
    const code = loaded?.parseCountry(typed)
    if (code !== undefined) onChange?.(code)
  }

  return (
    <LookupField
      {...props}
      value={value}
      placeholder="Choose a country"
      {...(isUnknown && { hint: `Stored as “${stored}”. Choose the country that it stands for.` })}
      lookup={{
        options,
        onSearch: setSearch,
        onOpen: () => setOpened(true),
        loading: countries.isFetching,
        problem: countries.error && toProblem(new Error('The countries could not be loaded. Try again.')),
        onRetry: () => void countries.refetch(),
        nothingFound: 'No country found',
      }}
      selected={name === undefined ? undefined : toOption(value, name)}
      onChange={(code) => onChange?.(code ?? '')}
      onBlur={(event) => {
        const typed = (event.target as HTMLInputElement).value // the field's only focusable element
        if (typed.trim() !== '' && typed !== name) void chooseTyped(typed)
      }}
    />
  )
}

const toOption = (value: string, label: string) => ({ value, label })
