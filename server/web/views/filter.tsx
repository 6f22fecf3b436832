import type { ComponentChildren } from 'preact';
import { Icon } from '../components/icon.js';

/** The search over a list, and the choices beside it. A form of its own that gets, so that a result is a link. */
export function Search({
  action,
  search,
  label,
  children,
}: {
  readonly action: string;
  readonly search: string;
  readonly label: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <search>
      <form class="inline" method="get" action={action}>
        <input
          type="search"
          name="search"
          dir="auto"
          value={search}
          placeholder={label}
          aria-label={label}
          maxLength={200}
        />
        {children}
        <button type="submit" class="button plain">
          <Icon name="search" />
          Show
        </button>
      </form>
    </search>
  );
}

/** One choice beside a search. */
export function Choice({
  name,
  label,
  value,
  options,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}) {
  return (
    <select name={name} aria-label={label}>
      {options.map(([option, text]) => (
        <option key={option} value={option} selected={option === value}>
          {text}
        </option>
      ))}
    </select>
  );
}
