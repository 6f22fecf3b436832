import type { ComponentChildren } from 'preact';
import type { Site } from '../../site.js';

/**
 * A few buttons of which one is pressed: what this browser remembers of how pages look. Each sends the form, which leads
 * back to the page. The answer to a form cannot be returned to, so there it opens `home` in a new tab.
 */
export function Switch<V extends string>({
  site,
  action,
  name,
  label,
  chosen,
  options,
  home,
  ...data
}: {
  readonly site: Pick<Site, 'answersForm' | 'address'>;
  readonly action: string;
  readonly name: string;
  readonly label: string;
  readonly chosen: V;
  /** What each is called, and what it shows if that is less. */
  readonly options: readonly (readonly [value: V, name: string, shown?: ComponentChildren])[];
  readonly home: string;
  readonly 'data-themes'?: boolean;
}) {
  return (
    <form
      method="post"
      action={action}
      class="themes"
      aria-label={label}
      target={site.answersForm ? '_blank' : undefined}
      {...data}
    >
      <input type="hidden" name="next" value={site.answersForm ? home : site.address} />
      {options.map(([value, called, shown]) => (
        <button
          type="submit"
          key={value}
          name={name}
          value={value}
          aria-pressed={chosen === value}
          aria-label={shown ? called : undefined}
          title={shown ? called : undefined}
        >
          {shown ?? called}
        </button>
      ))}
    </form>
  );
}
