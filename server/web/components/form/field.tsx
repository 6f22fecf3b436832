import { type ComponentChildren, h, type InputHTMLAttributes, type TextareaHTMLAttributes } from 'preact';

interface Labelled {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | null | undefined;
}

type Kind = 'text' | 'email' | 'password' | 'number' | 'search';

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
  | 'pattern'
  | 'placeholder'
  | 'required'
  | 'spellcheck'
>;

/** A single-line input with its label, a hint and, after a refused submit, the error. */
export function Field({
  name,
  label,
  hint,
  error,
  type = 'text',
  value,
  optional,
  ...extra
}: Labelled &
  Extra & { readonly type?: Kind; readonly value?: string | number | null; readonly optional?: boolean }) {
  return (
    <Around name={name} label={label} hint={hint} error={error} optional={optional}>
      {h('input', {
        id: name,
        name,
        type,
        dir: type === 'text' ? 'auto' : undefined,
        value: value ?? undefined,
        ...described(name, hint, error),
        ...extra,
      })}
    </Around>
  );
}

/**
 * The name that signs in to the account of a form with only passwords. Not shown: password managers read it, to know
 * which saved password the new one replaces.
 */
export function LoginName({ value }: { readonly value: string }) {
  return <input type="email" value={value} autocomplete="username" readOnly hidden />;
}

/** A file input. Browsers cannot restore the file of a refused form; `lost` tells the user to choose it again. */
export function FileInput({ lost, required }: { readonly lost: boolean; readonly required?: boolean }) {
  const error = lost ? 'Choose the file again; it was not saved.' : null;
  return (
    <>
      <input id="file" type="file" name="file" required={required} {...described('file', null, error)} />
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
  hint,
  error,
  value,
  rows = 4,
  code,
  optional,
  ...extra
}: Labelled &
  Pick<
    TextareaHTMLAttributes<HTMLTextAreaElement>,
    'maxLength' | 'placeholder' | 'required' | 'spellcheck' | 'autofocus'
  > & {
    readonly value?: string | null;
    readonly rows?: number;
    readonly code?: boolean;
    readonly optional?: boolean;
  }) {
  return (
    <Around name={name} label={label} hint={hint} error={error} optional={optional}>
      <textarea
        id={name}
        name={name}
        rows={rows}
        class={code ? 'mono' : undefined}
        dir="auto"
        {...described(name, hint, error)}
        {...extra}
      >
        {
          // HTML drops a leading line break.
          value?.startsWith('\n') ? `\n${value}` : (value ?? '')
        }
      </textarea>
    </Around>
  );
}

/** A select with a few options. */
export function Select({
  name,
  label,
  hint,
  error,
  value,
  options,
}: Labelled & {
  readonly value?: string | null;
  readonly options: readonly (readonly [value: string, label: string])[];
}) {
  return (
    <Around name={name} label={label} hint={hint} error={error}>
      <select id={name} name={name} {...described(name, hint, error)}>
        {options.map(([option, text]) => (
          <option key={option} value={option} selected={option === (value ?? '')}>
            {text}
          </option>
        ))}
      </select>
    </Around>
  );
}

/** A checkbox; sends `true` when checked and nothing otherwise. */
export function Check({
  name,
  label,
  hint,
  checked,
  value = 'true',
  id = name,
}: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly checked?: boolean;
  readonly value?: string;
  readonly id?: string;
}) {
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        name={name}
        value={value}
        checked={checked}
        aria-describedby={hint && `${id}-hint`}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function Around({
  name,
  label,
  hint,
  error,
  optional,
  children,
}: Labelled & { readonly optional?: boolean | undefined; readonly children: ComponentChildren }) {
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <label for={name}>
        {label}
        {optional && <span class="optional"> optional</span>}
      </label>
      {children}
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

function described(name: string, hint: ComponentChildren, error: string | null | undefined) {
  const ids = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return { ...(ids === '' ? {} : { 'aria-describedby': ids }), ...(error ? { 'aria-invalid': true } : {}) };
}
