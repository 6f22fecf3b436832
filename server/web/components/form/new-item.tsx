import type { ComponentChildren } from 'preact';
import type { Site } from '../../site.js';
import { SignInLink } from '../page/sign-in.js';
import { Field } from './field.js';
import { type FormState, typed, wrongPassword } from './form.js';

/** The lifetimes that forms offer, in hours. */
export const lifetimes = [
  ['', 'Never'],
  ['1', '1 hour'],
  ['24', '1 day'],
  ['168', '1 week'],
  ['720', '30 days'],
  ['8760', '1 year'],
] as const;

/** For visitors who need an account: a link to sign in, or a field for the API key. */
export function KeyField({ site }: { readonly site: Site }) {
  return (
    <div class="card">
      <p>
        You need an account for this. <SignInLink site={site} />
        {site.answersForm
          ? ' in a new tab, then send this form again, or enter an API key.'
          : ', or enter an API key.'}
      </p>
      <Field name="key" type="password" label="API key" autocomplete="off" spellcheck={false} />
    </div>
  );
}

/** The less common fields of a form for a new item. Open after a refusal, so that nothing is sent unseen. */
export function Options({
  state,
  hint,
  children,
}: {
  readonly state: FormState;
  /** Next to the heading, visible while the options are closed. */
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

/** The ID that the user chooses for a new item. */
export function OwnAddress({ state, hint }: { readonly state: FormState; readonly hint: string }) {
  return (
    <Field
      name="uniqueId"
      label="Custom ID"
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

/** The password of a new item. After a refusal it has to be entered again. */
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
