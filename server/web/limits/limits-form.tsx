import type { ComponentChildren } from 'preact';
import type { Fields } from '../../../rest-adapter/fields.js';
import { fail } from '../../../routers/base/errors.js';
import { t, translateMessage } from '../../../routers/base/language/i18n.js';
import { localizable } from '../../../routers/base/language/localizable.js';
import { Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { bind, Form, type FormState } from '../components/form/form.js';
import type { OwnLimits } from '../records.js';
import { TYPE_WORDS } from './left.js';

type Rules = OwnLimits['effective'];
type Pack = OwnLimits['filePackLimits'];
type Type = keyof Rules;

const MIB = 1024 * 1024;
const TYPES = Object.keys(TYPE_WORDS) as Type[];

/** The limits that a type can have, and whether they are sizes. */
const fieldsOf = (type: Type): readonly (readonly [field: string, label: string, isSize: boolean])[] => [
  ['dailyCount', t('A day'), false],
  ['weeklyCount', t('A week'), false],
  ...(type === 'URL' || type === 'TEMP_MAIL'
    ? []
    : ([
        ['dailyBytes', t('MiB a day'), true],
        ['weeklyBytes', t('MiB a week'), true],
      ] as const)),
  ...(type === 'TOTAL' ? ([['storageBytes', t('MiB kept at once'), true]] as const) : []),
];

const shown = (value: number | null | undefined, isSize: boolean): number | null =>
  value == null ? null : isSize ? value / MIB : value;

/** A form for everything that can be limited; an empty field is no limit, or the one of the role. */
export function LimitsForm({
  action,
  rules,
  pack,
  state,
  children,
}: {
  readonly action: string;
  readonly rules: Rules;
  readonly pack: Pack;
  readonly state: FormState;
  readonly children?: ComponentChildren;
}) {
  const limit = (name: string, label: string, value: number | null) => (
    <Field
      {...bind(state).field(name, value)}
      key={name}
      type="number"
      label={label}
      min={0}
      inputMode="decimal"
      step="any"
    />
  );
  return (
    <Form action={action} state={state}>
      {children}
      {TYPES.map((type) => (
        <fieldset key={type}>
          <legend>{translateMessage(TYPE_WORDS[type])}</legend>
          <div class="pair">
            {fieldsOf(type).map(([name, label, isSize]) =>
              limit(
                `${type}.${name}`,
                label,
                shown((rules[type] as Readonly<Record<string, number | null>>)[name], isSize),
              ),
            )}
          </div>
        </fieldset>
      ))}
      <fieldset>
        <legend>{t('One pack of files')}</legend>
        <div class="pair">
          {limit('pack.maxFiles', t('Files'), shown(pack.maxFiles, false))}
          {limit('pack.maxBytes', 'MiB', shown(pack.maxBytes, true))}
        </div>
      </fieldset>
      <Submit name="action" value="limits">
        {t('Save')}
      </Submit>
    </Form>
  );
}

/** The policy that the form sends. */
export function policyOf(body: Fields) {
  const read = (name: string, isSize: boolean): number | null => {
    const text = body.string(name).trim();
    if (text === '') return null;
    const value = Number(text);
    if (!Number.isFinite(value) || value < 0 || value > 2 ** 42)
      fail('INVALID', localizable('{name}: Enter a number, or nothing for no limit', { name }));
    return Math.round(isSize ? value * MIB : value);
  };
  return {
    limits: Object.fromEntries(
      TYPES.map((type) => [
        type,
        Object.fromEntries(fieldsOf(type).map(([name, , isSize]) => [name, read(`${type}.${name}`, isSize)])),
      ]),
    ),
    filePackLimits: { maxFiles: read('pack.maxFiles', false), maxBytes: read('pack.maxBytes', true) },
  };
}
