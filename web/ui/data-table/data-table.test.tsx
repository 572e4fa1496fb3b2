// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { EmptyState } from '../state-messages/state-messages.tsx'
import { toCardParts } from './data-table-cards.tsx'
import { type Column, type Sort, toWidths } from './data-table-columns.ts'
import { DataTable, type DataTableProps } from './data-table.tsx'

type Row = { id: string; name: string; amount: number }

const columns: Column<Row>[] = [
  { key: 'name', header: 'Name', text: (row) => row.name, sortable: true },
  { key: 'amount', header: 'Amount', align: 'end', text: (row) => String(row.amount) },
]
const rows: Row[] = [
  { id: 'a', name: 'Seaside', amount: 1 },
  { id: 'b', name: 'Harbour', amount: 2 },
]

function renderTable(props: Partial<DataTableProps<Row>>) {
  const rowName = (row: Row) => row.name
  const user = userEvent.setup()
  render(<DataTable label="Pods" columns={columns} rows={rows} rowKey={(row) => row.id} rowName={rowName} {...props} />)
  return { user }
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('DataTable', () => {
  it('shows the given number of skeleton rows, and announces that rows are loading', () => {
    renderTable({ rows: undefined, skeletonRows: 3 })
    const table = screen.getByRole('table', { name: 'Pods' })
    expect(table.getAttribute('aria-busy')).toBe('true')
    expect(table.querySelectorAll('tbody tr')).toHaveLength(3)
    expect(screen.getByText('Loading Pods')).toBeTruthy()
  })

  it('keeps an unavailable action focusable, and says why it is unavailable', async () => {
    const onSelect = vi.fn<() => void>()
    const { user } = renderTable({
      rowActions: ({ name }) => [
        { label: 'Edit', icon: null, onSelect, unavailable: name === 'Seaside' ? 'Ask the owner.' : undefined },
        { label: 'Delete', icon: null, onSelect, unavailable: name === 'Seaside' ? 'Ask the owner.' : undefined },
      ],
    })
    const edit = screen.getByRole('button', { name: 'Edit Seaside' })
    expect(edit.getAttribute('aria-disabled')).toBe('true')
    expect(document.getElementById(edit.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Ask the owner.')
    expect(edit.dataset.tooltip).toBe('Ask the owner.')
    edit.focus()
    await user.keyboard('{Enter}')
    expect(onSelect).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Edit Harbour' }))
    expect(onSelect).toHaveBeenCalledOnce()
  })

  it('puts a rarely used action into a menu, before the dangerous action', async () => {
    const onSelect = vi.fn<() => void>()
    const { user } = renderTable({
      rowActions: () => [
        { label: 'Edit', icon: null, onSelect },
        { label: 'Delete', icon: null, onSelect, danger: true },
        { label: 'Copy', icon: null, onSelect, seldom: true },
      ],
    })
    const [, row] = screen.getAllByRole('row')
    const names = within(row as HTMLElement)
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label'))
    expect(names).toEqual(['Edit Seaside', 'More actions for Seaside', 'Delete Seaside'])
    await user.click(screen.getByRole('button', { name: 'More actions for Seaside' }))
    await user.click(screen.getByRole('menuitem', { name: 'Copy' }))
    expect(onSelect).toHaveBeenCalledOnce()
    expect(document.activeElement?.getAttribute('aria-label')).toBe('More actions for Seaside')
  })

  it('replaces the old rows with skeletons while refreshing', () => {
    renderTable({ refreshing: true, skeletonRows: 3 })
    expect(screen.queryByText('Seaside')).toBeNull()
  })

  it('keeps the old rows while another list page is loading', () => {
    renderTable({ busy: true })
    expect(screen.getByText('Seaside')).toBeTruthy()
    expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true')
  })

  it('shows its empty state instead of a table when there are no rows', () => {
    renderTable({ rows: [], empty: <EmptyState>Pods appear here.</EmptyState> })
    expect(screen.getByText('Pods appear here.')).toBeTruthy()
    expect(screen.queryByRole('table')).toBeNull()
  })

  it('shows an error with the request id, and retries on request', async () => {
    const onRetry = vi.fn<() => void>()
    const { user } = renderTable({ rows: undefined, problem: { message: 'No answer.', requestId: 'req-1' }, onRetry })
    expect(screen.getByRole('alert').textContent).toContain('req-1')
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(onRetry).toHaveBeenCalledOnce()
  })

  it('keeps its rows when a later load fails', () => {
    renderTable({ problem: { message: 'No answer.' } })
    expect(screen.getByRole('alert').textContent).toBe('What is shown here may be out of dateNo answer.')
    expect(screen.getByText('Seaside')).toBeTruthy()
  })

  it('labels each action with the name of its row', async () => {
    const onSelect = vi.fn<(id: string) => void>()
    const { user } = renderTable({
      rowActions: (row) => [{ label: 'Delete', icon: null, danger: true, onSelect: () => onSelect(row.id) }],
    })
    await user.click(screen.getByRole('button', { name: 'Delete Harbour' }))
    expect(onSelect).toHaveBeenCalledExactlyOnceWith('b')
  })

  it('names each row in its other cells by what is the heading of its card', () => {
    renderTable({ columns: [{ ...columns[1] } as Column<Row>, { ...columns[0], phone: 'title' } as Column<Row>] })
    expect(screen.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual(['Seaside', 'Harbour'])
  })

  it('sorts in ascending order on the first click on a header, and in descending order on the next', async () => {
    const onSort = vi.fn<(sort: Sort) => void>()
    const first = renderTable({ sort: { key: 'amount', direction: 'asc' }, onSort })
    await first.user.click(screen.getByRole('button', { name: 'Name' }))
    expect(onSort).toHaveBeenCalledExactlyOnceWith({ key: 'name', direction: 'asc' })
    onSort.mockClear()
    cleanup()
    const { user } = renderTable({ sort: { key: 'name', direction: 'asc' }, onSort })
    expect(screen.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending')
    await user.click(screen.getByRole('button', { name: 'Name' }))
    expect(onSort).toHaveBeenCalledExactlyOnceWith({ key: 'name', direction: 'desc' })
  })

  it('is a list of cards with a menu on a phone', async () => {
    vi.stubGlobal('matchMedia', (media: string) => Object.assign(new EventTarget(), { matches: true, media }))
    const onSelect = vi.fn<() => void>()
    const { user } = renderTable({ rowActions: () => [{ label: 'Edit', icon: null, onSelect }] })
    const [, second] = within(screen.getByRole('list', { name: 'Pods' })).getAllByRole('listitem')
    expect(second?.textContent).toContain('Harbour')
    await user.click(screen.getByRole('button', { name: 'Actions for Harbour' }))
    await user.click(screen.getByRole('menuitem', { name: 'Edit' }))
    expect(onSelect).toHaveBeenCalledOnce()
    expect(screen.queryByRole('menu')).toBeNull()
  })
})

function column(key: string, more: Partial<Column<Row>> = {}): Column<Row> {
  return { key, header: key, ...more }
}

describe('toWidths', () => {
  it('widens a column of numbers for one that would be cut off, and the table with it', () => {
    const amount = column('amount', { align: 'end', width: 100, text: (row) => row.name })
    const id = column('id', { width: 50 })
    const toRow = (name: string): Row => ({ id: name, name, amount: 0 })
    const few = toWidths([id, amount], [toRow('R 450.00'), toRow('R 1 584.00')])
    expect(few).toEqual({ widths: [50, 100], minWidth: 150, actionsWidth: 0 })
    const rowsWithLong = [toRow('R 450.00'), toRow('R 12 345 678.90')]
    const many = toWidths([id, amount], rowsWithLong)
    expect(many).toEqual({ widths: [50, 142.5], minWidth: 192.5, actionsWidth: 0 })
    // The first column has more padding.
    expect(toWidths([amount], rowsWithLong).widths).toEqual([146.5])
  })
})

describe('toCardParts', () => {
  it('uses the first plain column as heading, and the next three as facts', () => {
    const parts = toCardParts([
      column('image', { phone: 'media' }),
      column('id', { hideOnPhone: true }),
      ...['name', 'one', 'two', 'three', 'four'].map((key) => column(key)),
      column('status', { phone: 'aside' }),
    ])
    expect(parts.title?.key).toBe('name')
    expect(parts.facts.map((fact) => fact.key)).toEqual(['one', 'two', 'three'])
    expect([parts.media?.key, parts.aside?.key]).toEqual(['image', 'status'])
  })
})
