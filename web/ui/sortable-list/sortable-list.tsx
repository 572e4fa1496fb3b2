import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  type PointerSensorOptions,
  type PointerSensorProps,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import {
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable'
import { createContext, type ReactNode, startTransition, use, useCallback, useEffect, useMemo, useState } from 'react'
import { classNames } from '../class-names.ts'
import type { RowAction, RowProps } from '../data-table/data-table-columns.ts'
import { IconArrowDown, IconArrowUp, IconGripVertical } from '../icons/icons.tsx'
import { Announcement } from '../visually-hidden/visually-hidden.tsx'
import styles from './sortable-list.module.css'

type SortableItem = { id: string; name: string }

type SortableListProps = {
  /** In their current order. `onMove` must change it at once, or a dropped row jumps back. */
  items: readonly SortableItem[]
  onMove: (from: number, to: number) => void
  disabled?: boolean
  /** Gets a function that returns a row's Move up and Move down actions, for people who do not drag. */
  children: (moveActions: (index: number) => RowAction[]) => ReactNode
}

type RowSensorOptions = PointerSensorOptions & { afterRender: (end: () => void) => void }

/** Drags by the handle, and by mouse anywhere on the row but its buttons. A finger on the row scrolls the page. */
class RowSensor extends PointerSensor {
  constructor(props: PointerSensorProps & { options: RowSensorOptions }) {
    super({ ...props, onEnd: () => props.options.afterRender(() => props.onEnd()) })
  }

  static override activators: (typeof PointerSensor)['activators'] = [
    {
      eventName: 'onPointerDown',
      handler: ({ nativeEvent: event }, options) => {
        const control = event.target instanceof Element && event.target.closest('button, a, input, select')
        const isHandle = control && control.matches('[data-drag-handle]')
        if (!event.isPrimary || event.button !== 0) return false
        if (!isHandle && (control || event.pointerType !== 'mouse')) return false
        options.onActivation?.({ event })
        return true
      },
    },
  ]
}

const upAndDown: Modifier = ({ transform }) => ({ ...transform, x: 0 })

const instructions = {
  draggable: 'Press Space to pick up, the arrow keys to move, Space to drop, Escape to put it back.',
}

function toAnnouncements(items: readonly SortableItem[]): Announcements {
  const nameOf = (id: UniqueIdentifier) => items.find((item) => item.id === id)?.name ?? 'Row'
  const placeOf = (id: UniqueIdentifier) =>
    `position ${items.findIndex((item) => item.id === id) + 1} of ${items.length}`
  return {
    onDragStart: ({ active }) => `Picked up ${nameOf(active.id)}, ${placeOf(active.id)}.`,
    onDragOver: ({ active, over }) => (over ? `${nameOf(active.id)} is at ${placeOf(over.id)}.` : undefined),
    onDragEnd: ({ active, over }) => `${nameOf(active.id)} was dropped at ${placeOf(over?.id ?? active.id)}.`,
    onDragCancel: ({ active }) => `${nameOf(active.id)} is back at ${placeOf(active.id)}.`,
  }
}

/**
 * Returns a function that calls another once everything that was set before is rendered. dnd-kit knows only then over
 * which row a movement ended, and a quick flick is released before.
 */
function useAfterRender() {
  const [task, setTask] = useState<{ run: () => void }>()
  useEffect(() => {
    task?.run()
  }, [task])
  return useCallback((run: () => void) => startTransition(() => setTask({ run })), [])
}

/** Rows that can be reordered by dragging, by keyboard, or by plain actions. */
export function SortableList({ items, onMove, disabled = false, children }: SortableListProps) {
  const [said, setSaid] = useState('')
  const afterRender = useAfterRender()
  const options = useMemo((): RowSensorOptions => ({ afterRender }), [afterRender])
  const sensors = useSensors(
    useSensor(RowSensor, options),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const indexOf = (id: UniqueIdentifier) => items.findIndex((item) => item.id === id)

  function drop({ active, over }: DragEndEvent) {
    if (over && over.id !== active.id) onMove(indexOf(active.id), indexOf(over.id))
  }

  function moveActions(index: number): RowAction[] {
    const move = (to: number) => () => {
      onMove(index, to)
      setSaid(`${items[index]?.name ?? 'Row'} is now at position ${to + 1} of ${items.length}.`)
    }
    return [
      { label: 'Move up', icon: <IconArrowUp />, onSelect: move(index - 1), disabled: disabled || index === 0 },
      {
        label: 'Move down',
        icon: <IconArrowDown />,
        onSelect: move(index + 1),
        disabled: disabled || index === items.length - 1,
      },
    ]
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[upAndDown]}
      accessibility={{ announcements: toAnnouncements(items), screenReaderInstructions: instructions }}
      onDragEnd={drop}
    >
      <SortableContext items={items.map((item) => item.id)} strategy={verticalListSortingStrategy} disabled={disabled}>
        {children(moveActions)}
      </SortableContext>
      <Announcement>{said}</Announcement>
    </DndContext>
  )
}

type Handle = Pick<ReturnType<typeof useSortable>, 'attributes'> & { attach: (node: HTMLElement | null) => void }

const HandleContext = createContext<Handle | null>(null)

/** Used as `<DataTable RowComponent={SortableRow} …>` inside a SortableList. */
export function SortableRow({ as: As, rowKey, className, children }: RowProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: rowKey,
  })
  const handle = useMemo(() => ({ attributes, attach: setActivatorNodeRef }), [attributes, setActivatorNodeRef])
  return (
    <HandleContext value={handle}>
      <As
        {...listeners}
        ref={setNodeRef}
        className={classNames(className, isDragging && styles.dragged)}
        style={{ transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined, transition }}
      >
        {children}
      </As>
    </HandleContext>
  )
}

/** The handle to drag a SortableRow by, also by touch and keyboard; goes into a column of its own. */
export function DragHandle({ name }: { name: string }) {
  const handle = use(HandleContext)
  if (!handle) return null
  const { attributes, attach } = handle
  return (
    <button
      {...attributes}
      ref={attach}
      type="button"
      className={styles.handle}
      data-drag-handle
      aria-label={`Reorder ${name}`}
    >
      <IconGripVertical size={16} />
    </button>
  )
}
