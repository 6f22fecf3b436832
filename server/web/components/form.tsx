import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';

/** What a refused form comes back with: a sentence for the whole, and one for each wrong field. */
export interface FormState {
  readonly problem: string | null;
  readonly errors: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

/** A form nobody has sent yet. */
export const untouched: FormState = { problem: null, errors: {}, values: {} };

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
