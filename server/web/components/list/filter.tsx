import type { ComponentChildren } from 'preact';
import { t } from '../../../../routers/base/language/i18n.js';
import { Icon } from '../icon.js';

/** The search of a list with its filters. The form uses GET, so that a result can be linked. */
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
        {children && (
          <>
            <input type="checkbox" id="filters" class="unseen" aria-label={t('Filters')} autocomplete="off" />
            <label for="filters" class="button plain" aria-hidden="true">
              <Icon name="filter" />
            </label>
            <div class="choices">{children}</div>
          </>
        )}
        <button type="submit" class="button plain" aria-label={t('Search')}>
          <Icon name="search" />
          <span>{t('Search')}</span>
        </button>
      </form>
    </search>
  );
}

/** One filter of a search. */
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

/** The filter by a tag; without tags there is nothing to choose. */
export function TagChoice({ tags, tag }: { readonly tags: readonly string[]; readonly tag: string }) {
  if (tags.length === 0 && tag === '') return null;
  const all = tag === '' || tags.includes(tag) ? tags : [tag, ...tags];
  return (
    <Choice
      name="tag"
      label={t('Tag')}
      value={tag}
      options={[['', t('All tags')], ...all.map((one) => [one, one] as const)]}
    />
  );
}

/** Tags in a row above a list, each of which leaves what has it. */
export function Chips({
  all,
  chosen,
  of,
}: {
  /** The list without one. */
  readonly all: string;
  /** "" for none. */
  readonly chosen: string;
  readonly of: readonly { readonly tag: string; readonly href: string; readonly count?: number }[];
}) {
  if (of.length === 0 && chosen === '') return null;
  return (
    <nav class="chips" aria-label={t('Tags')}>
      {chosen !== '' && <a href={all}>{t('Everything')}</a>}
      {of.map(({ tag, href, count }) => (
        <a key={tag} href={href} dir="auto" aria-current={tag === chosen ? 'page' : undefined}>
          {tag}
          {count !== undefined && <span class="hint"> {count}</span>}
        </a>
      ))}
    </nav>
  );
}
