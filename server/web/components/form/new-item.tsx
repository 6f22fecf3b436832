import type { ComponentChildren } from 'preact';
import { msg, t, translateMessage } from '../../../../routers/base/language/i18n.js';
import type { Message } from '../../../../routers/base/language/message.js';
import { MAX_ID } from '../../../../routers/base/slug.js';
import { ID_PATTERN } from '../../../../routers/core/items/ids.js';
import { rich } from '../../rich.js';
import type { Site } from '../../site.js';
import { SignInLink } from '../page/sign-in.js';
import { Select } from './choices.js';
import { Field } from './field.js';
import { bind, type FormState } from './form.js';

/** The lifetimes that forms offer: in hours, as a choice, and said of an item. */
const LIFETIMES: readonly (readonly [hours: number, label: Message, said: Message])[] = [
  [1, msg('1 hour'), msg('expires after 1 hour')],
  [24, msg('1 day'), msg('expires after 1 day')],
  [168, msg('1 week'), msg('expires after 1 week')],
  [720, msg('30 days'), msg('expires after 30 days')],
  [8760, msg('1 year'), msg('expires after 1 year')],
];

/** The lives that a new item may have here, in the order of the choice, and which is usual in days; null is for ever. */
function livesOf(site: Pick<Site, 'lives'>) {
  const { maxExpiryDays, defaultExpiryDays } = site.lives;
  const usual = defaultExpiryDays ?? maxExpiryDays;
  const most = maxExpiryDays === null ? Number.POSITIVE_INFINITY : maxExpiryDays * 24;
  const timed = LIFETIMES.filter(([hours]) => hours <= most).map(([hours, label, said]) => ({
    hours,
    label: translateMessage(label),
    said: translateMessage(said),
  }));
  for (const days of new Set([usual, maxExpiryDays]))
    if (days !== null && !timed.some(({ hours }) => hours === days * 24))
      timed.push({
        hours: days * 24,
        label: t('{days, plural, one {# day} other {# days}}', { days }),
        said: t('expires after {days, plural, one {# day} other {# days}}', { days }),
      });
  const sorted = timed
    .sort((a, b) => a.hours - b.hours)
    .map(({ hours, ...words }) => ({ value: String(hours), ...words }));
  const never = { value: usual === null ? '' : 'never', label: t('Never'), said: t('never expires') };
  return { usual, lives: maxExpiryDays === null ? [never, ...sorted] : sorted };
}

/** How long a new item lives: no longer than it may, and what is usual here is chosen already. */
export function Lifetime({ site, state }: { readonly site: Pick<Site, 'lives'>; readonly state: FormState }) {
  const { usual, lives } = livesOf(site);
  return (
    <Select
      {...bind(state).field('expiresIn', usual === null ? '' : usual * 24)}
      label={t('Expires after')}
      error={state.errors.expiresAt}
      options={lives.map(({ value, label }) => [value, label] as const)}
    />
  );
}

/**
 * What holds for new items as their options are, in one line: who can open them, and until when. All that may hold is
 * there, and the style of `.holds` shows what is chosen, so that it is true without scripts as well.
 */
export const Holds = ({ site }: { readonly site: Pick<Site, 'lives'> }) => (
  <span class="holds">
    <span class="who">
      <span>{t('Anyone with the link')}</span>
      <span>{t('Password-protected')}</span>
      <span>{t('Private')}</span>
    </span>
    {' · '}
    <span class="ends">
      {livesOf(site).lives.map(({ value, said }) => (
        <span key={value}>{said}</span>
      ))}
    </span>
    {' · '}
    <u>{t('Change')}</u>
  </span>
);

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
  holds,
  children,
}: {
  readonly state: FormState;
  /** What holds as they are. */
  readonly holds?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="more card" open={state.problem !== null}>
      <summary>{holds ?? t('Options')}</summary>
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
