import type { ComponentChildren } from 'preact';
import { msg, t, translateMessage } from '../../../../routers/base/language/i18n.js';
import { MAX_ID } from '../../../../routers/base/slug.js';
import { ID_PATTERN } from '../../../../routers/core/items/ids.js';
import { rich } from '../../rich.js';
import type { Site } from '../../site.js';
import { SignInLink } from '../page/sign-in.js';
import { Select } from './choices.js';
import { Field } from './field.js';
import { bind, type FormState } from './form.js';

/** The lifetimes that forms offer, in hours. */
const LIFETIMES = [
  [1, msg('1 hour')],
  [24, msg('1 day')],
  [168, msg('1 week')],
  [720, msg('30 days')],
  [8760, msg('1 year')],
] as const;

/** How long a new item lives: no longer than it may, and what is usual here is chosen already. */
export function Lifetime({ site, state }: { readonly site: Site; readonly state: FormState }) {
  const { maxExpiryDays, defaultExpiryDays } = site.lives;
  const usual = defaultExpiryDays ?? maxExpiryDays;
  const most = maxExpiryDays === null ? Number.POSITIVE_INFINITY : maxExpiryDays * 24;
  const hours = new Map<number, string>(
    LIFETIMES.filter(([length]) => length <= most).map(([length, label]) => [
      length,
      translateMessage(label),
    ]),
  );
  for (const days of [usual, maxExpiryDays])
    if (days !== null && !hours.has(days * 24))
      hours.set(days * 24, t('{days, plural, one {# day} other {# days}}', { days }));
  const timed = [...hours]
    .sort(([a], [b]) => a - b)
    .map(([length, label]) => [String(length), label] as const);
  const never = [usual === null ? '' : 'never', t('Never')] as const;
  return (
    <Select
      {...bind(state).field('expiresIn', usual === null ? '' : usual * 24)}
      label={t('Expires after')}
      error={state.errors.expiresAt}
      options={maxExpiryDays === null ? [never, ...timed] : timed}
    />
  );
}

/** For visitors who need an account: a link to sign in, or a field for the API key. */
export function KeyField({ site }: { readonly site: Site }) {
  return (
    <div class="card">
      <p>
        {rich(
          site.answersForm
            ? 'You need an account for this. <signIn>Sign in</signIn> in a new tab, then send this form again, or enter an API key.'
            : 'You need an account for this. <signIn>Sign in</signIn>, or enter an API key.',
          { signIn: (inside) => <SignInLink site={site}>{inside}</SignInLink> },
        )}
      </p>
      <Field name="key" type="password" label={t('API key')} autocomplete="off" spellcheck={false} />
    </div>
  );
}

/** The less common fields of a form for a new item. Open after a refusal, so that nothing is sent unseen. */
export function Options({
  state,
  open = false,
  children,
}: {
  readonly state: FormState;
  /** Whether one of them is set beforehand. */
  readonly open?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="more card" open={open || state.problem !== null}>
      <summary>{t('Options')}</summary>
      {children}
    </details>
  );
}

/** The tags of a new item. */
export const TagsField = ({ state }: { readonly state: FormState }) => (
  <Field {...bind(state).field('tags')} label={t('Tags')} hint={t('Separated by commas')} />
);

/** The ID that the user chooses for a new item. */
export function OwnAddress({
  state,
  hint,
  pattern = ID_PATTERN,
}: {
  readonly state: FormState;
  readonly hint: string;
  readonly pattern?: string;
}) {
  return (
    <Field
      {...bind(state).field('uniqueId')}
      label={t('Custom ID')}
      maxLength={MAX_ID}
      pattern={pattern}
      hint={hint}
      spellcheck={false}
    />
  );
}
