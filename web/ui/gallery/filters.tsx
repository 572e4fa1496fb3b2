import { useState } from 'react'
import { AmountRangeFilter } from '../amount-filter/amount-filter.tsx'
import { DateRangeFilter } from '../date-filter/date-filter.tsx'
import { FilterBar } from '../filter-bar/filter-bar.tsx'
import { LookupField, type LookupOption, MultiLookupField } from '../lookup-field/lookup-field.tsx'
import { LookupFilter } from '../lookup-field/lookup-filter.tsx'
import { Panel } from '../panel/panel.tsx'
import { SimilarNote } from '../similar-note/similar-note.tsx'
import styles from './gallery.module.css'

const pods: LookupOption[] = ['Aurora', 'Beacon', 'Comet', 'Dune', 'Ember'].map((label) => ({
  value: label.toLowerCase(),
  label,
  detail: `${label} Street, Cape Town`,
}))

function useLookup() {
  const [text, setText] = useState('')
  const options = pods.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))
  return { options, onSearch: setText, nothingFound: 'No such pod' }
}

const findPod = (value: string | null) => pods.find((pod) => pod.value === value)

function Filters() {
  const lookup = useLookup()
  const [search, setSearch] = useState('aurrora')
  const [pod, setPod] = useState('')
  const [days, setDays] = useState({ from: '2026-11-01', to: '' })
  const [amounts, setAmounts] = useState({ min: '', max: '99.50' })
  return (
    <>
      <FilterBar search={{ label: 'Search payments', value: search, onChange: setSearch }} setCount={2}>
        <LookupFilter
          label="Pod"
          placeholder="All pods"
          value={pod}
          onChange={setPod}
          lookup={lookup}
          selected={findPod(pod)}
        />
        <DateRangeFilter
          {...days}
          getToday={() => '2026-11-21'}
          onChange={(change) => setDays({ ...days, ...change })}
        />
        <AmountRangeFilter {...amounts} onChange={(change) => setAmounts({ ...amounts, ...change })} />
      </FilterBar>
      <SimilarNote search={search} />
    </>
  )
}

function Lookups() {
  const lookup = useLookup()
  const [one, setOne] = useState<string | null>('beacon')
  const [several, setSeveral] = useState(['aurora', 'dune'])
  return (
    <div className={styles.stack}>
      <LookupField label="Pod" clearable value={one} onChange={setOne} lookup={lookup} selected={findPod(one)} />
      <MultiLookupField
        label="Pods"
        value={several}
        onChange={setSeveral}
        lookup={lookup}
        selected={several.flatMap((value) => findPod(value) ?? [])}
      />
      <LookupField
        label="Location"
        value={null}
        lookup={{
          options: [],
          onSearch: () => {},
          problem: { message: 'The server did not answer.' },
          onRetry: () => {},
        }}
        selected={undefined}
      />
    </div>
  )
}

export function FiltersGallery() {
  return (
    <>
      <Filters />
      <Panel title="Lookups">
        <Lookups />
      </Panel>
    </>
  )
}
