import type { ComponentChildren } from 'preact';

/** A button that opens a sheet of links and actions; Escape and a click elsewhere close it, with scripts. */
export function Menu({
  label,
  name,
  look,
  children,
}: {
  /** What the button shows. */
  readonly label: ComponentChildren;
  /** What it is called, if it shows no words. */
  readonly name?: string;
  /** The class of the button. */
  readonly look: string;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="menu" data-menu>
      <summary class={look} aria-label={name}>
        {label}
      </summary>
      <div class="sheet">{children}</div>
    </details>
  );
}
