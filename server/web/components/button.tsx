import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

type Look = 'primary' | 'plain' | 'quiet' | 'danger';

interface Common {
  readonly look?: Look;
  readonly icon?: IconName;
  readonly children: ComponentChildren;
}

/**
 * A button that submits its form; `name` and `value` tell the handler which one was pressed. `unchecked` is for a
 * button that does not need the fields to be valid.
 */
export function Submit({
  look = 'primary',
  icon,
  children,
  name,
  value,
  form,
  unchecked,
}: Common & {
  readonly name?: string;
  readonly value?: string;
  readonly form?: string;
  readonly unchecked?: boolean;
}) {
  return (
    <button
      type="submit"
      class={`button ${look}`}
      name={name}
      value={value}
      form={form}
      formNoValidate={unchecked}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/**
 * A link that looks like a button: it navigates and changes nothing. `beside` opens a new tab, `dialog` a part of the page
 * above this one where scripts run.
 */
export function LinkButton({
  look = 'plain',
  icon,
  children,
  href,
  download,
  rel,
  beside,
  dialog,
}: Common & {
  readonly href: string;
  readonly download?: boolean;
  readonly rel?: string;
  readonly beside?: boolean;
  readonly dialog?: boolean;
}) {
  return (
    <a
      class={`button ${look}`}
      href={href}
      download={download}
      rel={rel}
      target={beside ? '_blank' : undefined}
      data-dialog={dialog}
    >
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

/**
 * Copies `text`, or the content of the element with the ID `of`. Only shown with scripts; the text itself is visible
 * next to it for everybody else.
 */
export function CopyButton({
  text,
  of,
  look = 'plain',
  children,
  label,
}: {
  readonly text?: string;
  readonly of?: string;
  readonly look?: Look;
  readonly children?: ComponentChildren;
  readonly label?: string;
}) {
  return (
    <button
      type="button"
      class={`button ${look} scripted`}
      data-copy={text}
      data-copy-of={of}
      aria-label={label}
    >
      <Icon name="copy" />
      {children}
    </button>
  );
}
