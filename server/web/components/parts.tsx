import type { ComponentChildren } from 'preact';
import { t } from '../../../routers/base/language/i18n.js';
import { pictureOf } from '../address.js';
import { moment } from '../format.js';
import type { UserSummary } from '../records.js';
import { CopyButton } from './button.js';
import { Icon, type IconName } from './icon.js';

/** A titled section of a page. */
export function Card({
  title,
  hint,
  actions,
  children,
  id,
  look,
}: {
  readonly title?: string;
  readonly hint?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly id?: string;
  /** A class of its own. */
  readonly look?: string;
}) {
  return (
    <section class={look ? `card ${look}` : 'card'} id={id}>
      {title && (
        <header>
          <h2>{title}</h2>
          {actions}
        </header>
      )}
      {hint && <p class="hint">{hint}</p>}
      {children}
    </section>
  );
}

/** A value to copy: readable and selectable as it is, with a copy button if scripts run. */
export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  const id = `copy-${label.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
  return (
    <div class="copy">
      <label for={id}>{label}</label>
      <input id={id} readOnly value={value} />
      <CopyButton text={value} look="quiet" label={t('Copy {label}', { label })} />
    </div>
  );
}

/** Says that a list is empty, and what to do about it. */
export function Empty({
  icon,
  title,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <p class="title">{title}</p>
      {children}
    </div>
  );
}

/** A short label for a state. */
export function Badge({
  look = 'plain',
  icon,
  children,
}: {
  readonly look?: 'plain' | 'good' | 'warn' | 'bad';
  readonly icon?: IconName;
  readonly children: ComponentChildren;
}) {
  return (
    <span class={`badge ${look}`}>
      {icon && <Icon name={icon} />}
      {children}
    </span>
  );
}

/** An icon that says something of its own, also to those who point at it or hear it. */
export function Sign({ icon, says }: { readonly icon: IconName; readonly says: string }) {
  return (
    <span class="sign" role="img" aria-label={says} title={says}>
      <Icon name={icon} />
    </span>
  );
}

/** A time in UTC; scripts add the reader's local time as its title. */
export function Time({ at }: { readonly at: string }) {
  return <time dateTime={at}>{moment(at)}</time>;
}

/** A user: picture and name. */
export function Person({ user }: { readonly user: Pick<UserSummary, 'uid' | 'username' | 'avatar'> }) {
  return (
    <span class="person">
      <img src={pictureOf(user)} alt="" width="24" height="24" loading="lazy" />
      <span dir="auto">{user.username}</span>
    </span>
  );
}

/** Names and values in two columns. Null values are omitted. */
export function Facts({
  of,
}: {
  readonly of: readonly (readonly [name: string, value: ComponentChildren | null])[];
}) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A single number. */
export function Figure({
  label,
  value,
  note,
}: {
  readonly label: string;
  readonly value: string;
  readonly note?: string | undefined;
}) {
  return (
    <div class="figure">
      <span class="label">{label}</span>
      <strong>{value}</strong>
      {note && <span class="hint">{note}</span>}
    </div>
  );
}
