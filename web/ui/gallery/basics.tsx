import { Button, IconAction, LinkButton } from '../button/button.tsx'
import { CopyId } from '../copy-id/copy-id.tsx'
import { CopyText } from '../copy-text/copy-text.tsx'
import { Fact, Facts } from '../fact/fact.tsx'
import { IconDownload, IconLock, IconPencil, IconPlus, IconTrash } from '../icons/icons.tsx'
import { Menu, MenuButton } from '../menu/menu.tsx'
import { PageHeader } from '../page-header/page-header.tsx'
import { Panel } from '../panel/panel.tsx'
import { EmptyState, ErrorState, ErrorSummary } from '../state-messages/state-messages.tsx'
import { StatusChip } from '../status-chip/status-chip.tsx'
import { showFailure, showSuccess } from '../toasts/toasts.ts'
import { TwoLines } from '../two-lines/two-lines.tsx'
import styles from './gallery.module.css'

const nothing = () => {}
const rowMenu = [
  { label: 'Edit', icon: <IconPencil />, onSelect: nothing },
  { label: 'Block', icon: <IconLock />, onSelect: nothing },
  { label: 'Delete', icon: <IconTrash />, onSelect: nothing, danger: true },
]
const problem = { message: 'The list could not be loaded: the server did not answer.', requestId: 'req-7f3a91c2' }

export function BasicsGallery() {
  return (
    <>
      <PageHeader
        title="Pods"
        count="All Pods (1,204)"
        action={
          <Button variant="primary" icon={<IconPlus size={16} />}>
            Create Pods
          </Button>
        }
        secondaryActions={<Button icon={<IconDownload size={16} />}>All Downloads</Button>}
      />
      <Panel title="Buttons">
        <div className={styles.stack}>
          <div className={styles.row}>
            <Button variant="primary">Create Booking</Button>
            <Button variant="primary" loading>
              Processing...
            </Button>
            <Button>Cancel</Button>
            <Button variant="subtle">Reset filters</Button>
            <Button variant="danger" icon={<IconTrash size={16} />}>
              Delete
            </Button>
            <Button disabled>Not now</Button>
            <Button variant="primary" disabled>
              Not now either
            </Button>
            <LinkButton href="/favicon.svg">A link</LinkButton>
          </div>
          <div className={styles.row}>
            <Button size="small">Small</Button>
            <Button size="small" variant="primary">
              Small
            </Button>
            <IconAction label="Edit" icon={<IconPencil />} />
            <IconAction label="Block" icon={<IconLock />} disabled />
            <IconAction label="Delete" icon={<IconTrash />} danger />
            <Menu label="Actions for Seaside pod" items={rowMenu} />
            <MenuButton icon={<IconDownload size={16} />} items={rowMenu}>
              Download All
            </MenuButton>
            <Button onClick={() => showSuccess('Pod created successfully!')}>Success toast</Button>
            <Button onClick={() => showFailure(problem.message, { retry: nothing, requestId: problem.requestId })}>
              Failure toast
            </Button>
          </div>
        </div>
      </Panel>
      <Panel title="Chips and ids">
        <div className={styles.row}>
          <StatusChip tone="green">Completed</StatusChip>
          <StatusChip tone="blue">Pending</StatusChip>
          <StatusChip tone="orange">Processing</StatusChip>
          <StatusChip tone="red">Inactive</StatusChip>
          <StatusChip tone="grey">Cancelled</StatusChip>
          <CopyId id="0193a4e2-77b1-7c1d-a8cd-2f6f0cde90ab" />
          <CopyId id="65f1c0" />
        </div>
      </Panel>
      <Panel title="Texts">
        <div className={styles.row}>
          <CopyText label="Secret" text="whsec-example" />
          <div>
            <TwoLines first="Seaside" second="1 Beach Road, Cape Town" />
          </div>
          <Facts>
            <Fact name="Phone">+27 21 555 0199</Fact>
            <Fact name="Note">{''}</Fact>
          </Facts>
        </div>
      </Panel>
      <div className={styles.columns}>
        <Panel title="Empty">
          <EmptyState action={<Button icon={<IconPlus size={16} />}>Create Feature</Button>}>
            What a pod offers, such as Wi-Fi, appears here.
          </EmptyState>
        </Panel>
        <Panel title="Failed">
          <ErrorState title="Bookings" problem={problem} onRetry={nothing} />
        </Panel>
        <Panel title="Failed in a form">
          <ErrorSummary
            problem={{ ...problem, message: 'Error creating location. Please check the form and try again.' }}
          />
        </Panel>
      </div>
    </>
  )
}
