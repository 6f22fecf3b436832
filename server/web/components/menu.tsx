import type { ComponentChildren } from 'preact';

/** A button that opens a sheet of links and actions; Escape and a click elsewhere close it, with scripts. */
export function Menu({
  label,
  name,
  look,
  open,
  children,
}: {
  /** What the button shows. */
  readonly label: ComponentChildren;
  /** What it is called, if it shows no words. */
  readonly name?: string;
  /** The class of the button. */
  readonly look: string;
  /** Whether it is open at first: a form in it was refused. */
  readonly open?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="menu" data-menu open={open}>
      <summary class={look} aria-label={name}>
        {label}
      </summary>
      <div class="sheet">{children}</div>
    </details>
  );
}
