import type { ComponentChildren } from 'preact';
import { t } from '../../../../routers/base/language/i18n.js';
import { Submit } from '../button.js';
import { Icon } from '../icon.js';

/** The state of a form that was refused: a text for the whole form and one for each wrong field. */
export interface FormState {
  readonly problem: string | null;
  readonly errors: Readonly<Record<string, string>>;
  /** The values that were sent, without secrets; the first value of a repeated name. */
  readonly values: Readonly<Record<string, string>>;
  /** The same with all values of a repeated name. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /**
   * Names of the secrets and files that were sent. They are not filled in again, so the user has to enter them again.
   */
  readonly lost: readonly string[];
}

/** A form that has not been sent yet. */
export const untouched: FormState = { problem: null, errors: {}, values: {}, lists: {}, lost: [] };

/** The state of one of several forms on a page: the one that was sent with one of these actions. */
export const stateOf = (state: FormState, ...actions: readonly string[]): FormState =>
  actions.includes(state.values.action ?? '') ? state : untouched;

/** The value of a field: what the user entered in the refused form, or else the stored value. */
export const typed = (state: FormState, name: string, stored: string | null | undefined = null) =>
  state.values[name] ?? stored;

/** Says beside a field what is saved now, if that is not what its user wrote. */
type Saved = (name: string, stored: string) => string | undefined;

/**
 * The attributes of a form's inputs: their names, and what they hold and say after the form was refused, or else what
 * is stored.
 */
export const bind = (state: FormState, saved?: Saved) => ({
  field(name: string, stored?: string | number | null) {
    const text = stored === null || stored === undefined ? null : String(stored);
    return {
      name,
      value: typed(state, name, text),
      error: state.errors[name],
      saved: saved?.(name, text ?? ''),
    };
  },
  box: (name: string, stored = false, value = 'true') => ({
    name,
    value,
    checked: state.problem === null ? stored : (state.lists[name]?.includes(value) ?? false),
  }),
});

/** The error of a password field: why it was refused, or that it has to be entered again. */
export const wrongPassword = (state: FormState): string | null =>
  state.errors.password ??
  (state.lost.includes('password') ? t('Enter the password again; for security it was not saved.') : null);

/**
 * A form that posts. Its problem is shown above the fields and announced to screen readers. Set `files` also for
 * several values with one name, because urlencoded bodies keep only the first.
 */
export function Form({
  action,
  state = untouched,
  files,
  script,
  data,
  challenge,
  children,
  id,
  label,
}: {
  readonly action: string | undefined;
  readonly state?: FormState | undefined;
  readonly files?: boolean;
  readonly script?: string;
  /** What its script has to know, as `data-…` attributes. */
  readonly data?: Readonly<Record<`data-${string}`, string>>;
  /** Work that the browser does before it sends the form. */
  readonly challenge?: { readonly challenge: string; readonly bits: number };
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
      {...data}
      data-challenge={challenge?.challenge}
      data-bits={challenge?.bits}
      aria-label={label}
    >
      {state.problem && <Problem text={state.problem} />}
      {children}
    </form>
  );
}

/** The problem of a form. */
function Problem({ text }: { readonly text: string }) {
  return (
    <p class="problem" role="alert">
      <Icon name="warning" />
      {text}
    </p>
  );
}

/** A form that is one button: it sends `action`, if it has a `value`, and the hidden `fields`. */
export const ActionForm = ({
  action,
  fields = {},
  value,
  actions,
  ...button
}: Omit<Parameters<typeof Submit>[0], 'name'> & {
  readonly action: string;
  readonly fields?: Readonly<Record<string, string | number>>;
  /** Whether it stands alone, in a row of actions. */
  readonly actions?: boolean;
}) => (
  <form method="post" action={action} class={actions ? 'actions' : undefined}>
    {Object.entries(fields).map(([name, text]) => (
      <input key={name} type="hidden" name={name} value={text} />
    ))}
    <Submit look="quiet" {...button} {...(value === undefined ? {} : { name: 'action', value })} />
  </form>
);
