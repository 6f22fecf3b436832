import type { ComponentChildren } from 'preact';
import { Field } from '../components/field.js';
import { type FormState, typed, wrongPassword } from '../components/form.js';
import { SignInLink } from '../components/sign-in.js';
import type { Site } from '../site.js';

/** How long an item may be kept, as the forms offer it; the value is hours. */
export const lifetimes = [
  ['', 'For good'],
  ['1', 'One hour'],
  ['24', 'One day'],
  ['168', 'One week'],
  ['720', '30 days'],
  ['8760', 'One year'],
] as const;

/** For visitors of a form that needs an account: the way in, or their key right here. */
export function KeyField({ site }: { readonly site: Site }) {
  return (
    <div class="card">
      <p>
        This needs an account. <SignInLink site={site} />
        {site.answersForm
          ? ' in the new tab, then send this again; or give an API key.'
          : ', or give an API key.'}
      </p>
      <Field name="key" type="password" label="API key" autocomplete="off" spellcheck={false} />
    </div>
  );
}

/** What most leave alone in the form for a new item; open after a refusal, so that nothing is sent unseen. */
export function Options({
  state,
  hint,
  children,
}: {
  readonly state: FormState;
  /** Beside the word, to be read while they are closed. */
  readonly hint?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="more card" open={state.problem !== null}>
      <summary>Options{hint}</summary>
      {children}
    </details>
  );
}

/** The id that somebody chooses for a new item. */
export function OwnAddress({ state, hint }: { readonly state: FormState; readonly hint: string }) {
  return (
    <Field
      name="uniqueId"
      label="Own address"
      value={typed(state, 'uniqueId')}
      error={state.errors.uniqueId}
      maxLength={20}
      pattern="[A-Za-z0-9_\-]{1,20}"
      hint={hint}
      optional
      spellcheck={false}
    />
  );
}

/** The password of a new item. Typed into a form that was refused it is lost, and has to be typed again. */
export function NewPassword({ state }: { readonly state: FormState }) {
  const lost = state.lost.includes('password');
  return (
    <Field
      name="password"
      type="password"
      label="Password"
      error={wrongPassword(state)}
      minLength={3}
      maxLength={100}
      autocomplete="new-password"
      required={lost}
      optional={!lost}
    />
  );
}
