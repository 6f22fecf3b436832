import { translateMessage } from '../../../../routers/base/language/i18n.js';
import type { Message } from '../../../../routers/base/language/message.js';
import { Around, described, type Labelled } from './around.js';

/** The options of a constant in the language of the page. */
export const optionsOf = <V extends string>(options: readonly (readonly [value: V, label: Message])[]) =>
  options.map(([value, label]) => [value, translateMessage(label)] as const);

/** A select with a few options. */
export function Select({
  name,
  label,
  saved,
  hint: usual,
  error,
  value,
  options,
  required,
}: Labelled & {
  readonly value?: string | null | undefined;
  /** Whether the first, which is empty, is none of them. */
  readonly required?: boolean;
  readonly options: readonly (readonly [value: string, label: string])[];
}) {
  const hint = saved ?? usual;
  return (
    <Around name={name} label={label} hint={hint} error={error}>
      <select id={name} name={name} required={required} {...described(name, hint, error)}>
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
  readonly hint?: string | undefined;
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
