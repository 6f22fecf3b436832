import { h, type InputHTMLAttributes, type TextareaHTMLAttributes } from 'preact';
import { t } from '../../../../routers/base/language/i18n.js';
import { Around, described, type Labelled } from './around.js';

type Kind = 'text' | 'email' | 'password' | 'number' | 'search' | 'date' | 'datetime-local' | 'color';

/** Other attributes that an input may have. */
type Extra = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  | 'autocomplete'
  | 'autofocus'
  | 'inputMode'
  | 'maxLength'
  | 'minLength'
  | 'min'
  | 'max'
  | 'step'
  | 'pattern'
  | 'placeholder'
  | 'required'
  | 'spellcheck'
> & { readonly 'data-last-day'?: boolean };

/** A single-line input with its label, a hint and, after a refused submit, the error. */
export function Field({
  name,
  label,
  saved,
  hint: usual,
  error,
  type = 'text',
  value,
  ...extra
}: Labelled &
  Extra & {
    readonly type?: Kind;
    readonly value?: string | null | undefined;
  }) {
  const hint = saved ?? usual;
  return (
    <Around name={name} label={label} hint={hint} error={error}>
      {h('input', {
        id: name,
        name,
        type,
        dir: type === 'text' ? 'auto' : undefined,
        value: value ?? undefined,
        ...extra,
        ...described(name, hint, error),
      })}
    </Around>
  );
}

/** The input of a whole number from 1, which may be left empty. */
export const Amount = (props: Omit<Parameters<typeof Field>[0], 'type'>) => (
  <Field {...props} type="number" min={1} inputMode="numeric" />
);

/**
 * The name that signs in to the account of a form with only passwords. Not shown: password managers read it, to know
 * which saved password the new one replaces.
 */
export function LoginName({ value }: { readonly value: string }) {
  return <input type="email" value={value} autocomplete="username" readOnly hidden />;
}

/** A file input. Browsers cannot restore the file of a refused form; `lost` tells the user to choose it again. */
export function FileInput({
  lost,
  required,
  accept,
}: {
  readonly lost: boolean;
  readonly required?: boolean;
  /** Types that the browser offers, as `image/*,.pdf`; undefined for all. */
  readonly accept?: string | undefined;
}) {
  const error = lost ? t('Choose the file again; it was not saved.') : null;
  return (
    <>
      <input
        id="file"
        type="file"
        name="file"
        required={required}
        accept={accept}
        {...described('file', null, error)}
      />
      {error && (
        <p class="error" id="file-error">
          {error}
        </p>
      )}
    </>
  );
}

/** A multi-line input. */
export function TextArea({
  name,
  label,
  saved,
  hint: usual,
  error,
  value,
  rows = 4,
  code,
  editor,
  detects,
  ...extra
}: Labelled &
  Pick<
    TextareaHTMLAttributes<HTMLTextAreaElement>,
    'maxLength' | 'placeholder' | 'required' | 'readOnly' | 'spellcheck' | 'autofocus'
  > & {
    readonly value?: string | null | undefined;
    readonly rows?: number;
    readonly code?: boolean;
    /** Tab indents in it, and its lines are numbered. */
    readonly editor?: boolean;
    /** The language of its text is shown in the choice of one. */
    readonly detects?: boolean;
  }) {
  const hint = saved ?? usual;
  return (
    <Around name={name} label={label} hint={hint} error={error}>
      <textarea
        id={name}
        name={name}
        rows={rows}
        class={code ? 'mono' : undefined}
        data-editor={editor}
        data-detects={detects}
        dir="auto"
        {...extra}
        {...described(name, hint, error)}
      >
        {
          // HTML drops a leading line break.
          value?.startsWith('\n') ? `\n${value}` : (value ?? '')
        }
      </textarea>
    </Around>
  );
}
