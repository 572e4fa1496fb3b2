import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Spinner } from '../spinner/spinner.tsx'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import styles from './button.module.css'

type ButtonVariant = 'default' | 'primary' | 'subtle' | 'danger'

type ButtonProps = ComponentProps<'button'> & {
  /** `primary` is the one main action of a screen or dialog. */
  variant?: ButtonVariant
  size?: 'small'
  icon?: ReactNode
  trailingIcon?: ReactNode
  /** Shows a spinner and ignores clicks, but keeps its words, its width and the focus. */
  loading?: boolean
  fullWidth?: boolean
}

export function Button({
  variant = 'default',
  size,
  icon,
  trailingIcon,
  loading = false,
  fullWidth = false,
  type = 'button',
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type === 'submit' && loading ? 'button' : type}
      className={classNames(styles.button, className)}
      data-variant={variant}
      data-size={size}
      data-full-width={fullWidth || undefined}
      data-loading={loading || undefined}
      aria-disabled={loading || rest['aria-disabled']}
      aria-busy={loading || undefined}
      onClick={loading ? undefined : onClick}
    >
      {loading ? <Spinner /> : icon}
      {children !== undefined && <span className={styles.label}>{children}</span>}
      {trailingIcon}
    </button>
  )
}

type LinkButtonProps = Omit<ComponentProps<'a'>, 'href'> & {
  href: string
  variant?: ButtonVariant
  size?: 'small'
  icon?: ReactNode
  /** What draws the link: for one within the portal, a component that does not reload the page. */
  as?: ComponentType<Omit<ComponentProps<'a'>, 'href'> & { href: string }> | 'a'
}

/** A link that looks like a button. */
export function LinkButton(props: LinkButtonProps) {
  const { as: Anchor = 'a', variant = 'default', size, icon, className, children, ...rest } = props
  return (
    <Anchor {...rest} className={classNames(styles.button, className)} data-variant={variant} data-size={size}>
      {icon}
      <span className={styles.label}>{children}</span>
    </Anchor>
  )
}

type IconActionProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & {
  /** Read by screen readers and shown as a tooltip. */
  label: string
  icon: ReactNode
  /** Makes the label text of the button, where a lookup of a field by its label would find an `aria-label` too. */
  labelAsText?: boolean
  /** Tooltip text in place of the label. The caller must give it to screen readers too, with `aria-describedby`. */
  tooltip?: string | undefined
  danger?: boolean
  size?: 'small'
  loading?: boolean
}

/** A button that contains only an icon. */
export function IconAction({
  label,
  icon,
  labelAsText = false,
  tooltip = label,
  danger = false,
  size,
  loading = false,
  type = 'button',
  className,
  onClick,
  ...rest
}: IconActionProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classNames(styles.iconAction, className)}
      data-danger={danger || undefined}
      data-size={size}
      data-tooltip={tooltip}
      aria-label={labelAsText ? undefined : label}
      aria-disabled={loading || rest['aria-disabled']}
      aria-busy={loading || undefined}
      onClick={loading ? undefined : onClick}
    >
      {loading ? <Spinner /> : icon}
      {labelAsText && <VisuallyHidden>{label}</VisuallyHidden>}
    </button>
  )
}
