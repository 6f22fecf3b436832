import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';

/** What a refused form comes back with: a sentence for the whole, and one for each wrong field. */
export interface FormState {
  readonly problem: string | null;
  readonly errors: Readonly<Record<string, string>>;
  /** What was sent, but for secrets; of a repeated name the first value. */
  readonly values: Readonly<Record<string, string>>;
  /** The same, with every value of a repeated name. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** Names of the secrets and files that were sent: they are not shown again, so they have to be given again. */
  readonly lost: readonly string[];
}

/** A form nobody has sent yet. */
export const untouched: FormState = { problem: null, errors: {}, values: {}, lists: {}, lost: [] };

/** The state of one form of a page that has several: of the one that was sent with one of these actions. */
export const stateOf = (state: FormState, ...actions: readonly string[]): FormState =>
  actions.includes(state.values.action ?? '') ? state : untouched;

/** What a field shows: what was typed into the form that was refused, before what is stored. */
export const typed = (state: FormState, name: string, stored: string | null | undefined = null) =>
  state.values[name] ?? stored;

/** Whether a box is ticked: as it was in the form that was refused, before what is stored. */
export const ticked = (state: FormState, name: string, stored: boolean, value = 'true'): boolean =>
  state.problem === null ? stored : (state.lists[name]?.includes(value) ?? false);

/** What is wrong with a password: why it was refused, or that it is not there any more. */
export const wrongPassword = (state: FormState): string | null =>
  state.errors.password ??
  (state.lost.includes('password') ? 'Type the password again: it was not kept.' : null);

/**
 * A real form that posts. A problem stands above the fields and is read out. `files` also for a form with
 * several values of one name: urlencoded bodies keep the first only.
 */
export function Form({
  action,
  state = untouched,
  files,
  script,
  children,
  id,
  label,
}: {
  readonly action: string;
  readonly state?: FormState | undefined;
  readonly files?: boolean;
  readonly script?: string;
  readonly children: ComponentChildren;
  readonly id?: string;
  readonly label?: string;
}) {
  return (
    <form
      id={id}
      class="form"
      method="post"
      action={action}
      enctype={files ? 'multipart/form-data' : undefined}
      data-script={script}
      aria-label={label}
    >
      {state.problem && <Problem text={state.problem} />}
      {children}
    </form>
  );
}

/** Something went wrong, said where it did. */
function Problem({ text }: { readonly text: string }) {
  return (
    <p class="problem" role="alert">
      <Icon name="warning" />
      {text}
    </p>
  );
}
