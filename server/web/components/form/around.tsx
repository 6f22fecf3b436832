import type { ComponentChildren } from 'preact';

/** What every field has. */
export interface Labelled {
  readonly name: string;
  readonly label: ComponentChildren;
  readonly hint?: ComponentChildren;
  /** What is said instead of the hint: what is saved, where it is not what the user wrote. */
  readonly saved?: string | undefined;
  readonly error?: string | null | undefined;
}

/** The label, hint and error around an input. */
export function Around({
  name,
  label,
  hint,
  error,
  children,
}: Labelled & { readonly children: ComponentChildren }) {
  return (
    <div class={error ? 'field wrong' : 'field'}>
      <label for={name}>{label}</label>
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

/**
 * The attributes that tie an input to its hint and its error. The first wrong field of a refused form has the focus, so
 * that it is in sight on a long page and its error is read out.
 */
export function described(name: string, hint: ComponentChildren, error: string | null | undefined) {
  const ids = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return {
    ...(ids === '' ? {} : { 'aria-describedby': ids }),
    ...(error ? { 'aria-invalid': true, autofocus: true } : {}),
  };
}
