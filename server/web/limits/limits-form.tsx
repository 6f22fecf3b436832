import type { InputHTMLAttributes } from 'preact';
import type { Fields } from '../../../rest-adapter/fields.js';
import { fail } from '../../../routers/base/errors.js';
import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import { localizable } from '../../../routers/base/language/localizable.js';
import type { Message } from '../../../routers/base/language/message.js';
import { withQuery } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { described } from '../components/form/around.js';
import { optionsOf } from '../components/form/choices.js';
import { Field } from '../components/form/field.js';
import { bind, Form, type FormState } from '../components/form/form.js';
import type { OwnLimits } from '../records.js';
import { TYPE_WORDS } from './left.js';
import { PRESET_WORDS, type Preset, presetOr } from './presets.js';

type Rules = OwnLimits['effective'];
type Pack = OwnLimits['filePackLimits'];
type Type = keyof Rules;

const MIB = 1024 * 1024;
const TYPES = Object.keys(TYPE_WORDS) as Type[];

/** The columns of the table, and whether they are sizes. */
const COLUMNS: readonly (readonly [field: string, head: Message, isSize: boolean])[] = [
  ['dailyCount', msg('Number per day'), false],
  ['weeklyCount', msg('Number per week'), false],
  ['dailyBytes', msg('MiB per day'), true],
  ['weeklyBytes', msg('MiB per week'), true],
];

/** Whether the bytes of a type can be limited, too. */
const hasBytes = (type: Type): boolean => type !== 'URL' && type !== 'TEMP_MAIL';

const limitOf = (limits: Readonly<Record<string, number | null | undefined>>, field: string) => limits[field];

const shown = (value: number | null | undefined, isSize: boolean): number | null =>
  value == null ? null : isSize ? value / MIB : value;

/** A form for everything that can be limited; an empty field is no limit, or the one of the role. */
export function LimitsForm({
  action,
  rules,
  pack,
  state,
  placeholder,
  empty,
  preset,
}: {
  readonly action: string;
  readonly rules: Rules;
  readonly pack: Pack;
  readonly state: FormState;
  /** What an empty field means. */
  readonly placeholder: string;
  /** What empties all of them. */
  readonly empty: string;
  /** What its fields are filled in with, to be changed and saved. */
  readonly preset: Preset;
}) {
  const { field: bound } = bind(state);
  const field = (name: string, stored: number | null) => bound(name, presetOr(preset, name, stored));
  const number = { type: 'number', min: 0, inputMode: 'decimal', step: 'any', placeholder } as const;
  return (
    <Form action={action} state={state}>
      <nav class="actions" aria-label={t('Fill in')}>
        <span class="hint">{t('Fill in')}</span>
        {[...optionsOf(PRESET_WORDS), ['none', empty] as const].map(([name, label]) => (
          <LinkButton key={name} href={withQuery(action, { preset: name })}>
            {label}
          </LinkButton>
        ))}
      </nav>
      {preset !== '' && <p class="hint">{t('Filled in, but not saved yet.')}</p>}
      <table class="limits">
        <thead>
          <tr>
            <td />
            {COLUMNS.map(([name, head]) => (
              <th key={name} scope="col">
                {translateMessage(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {TYPES.map((type) => (
            <tr key={type}>
              <th scope="row">{translateMessage(TYPE_WORDS[type])}</th>
              {COLUMNS.map(([name, head, isSize]) => (
                <td key={name}>
                  {(!isSize || hasBytes(type)) && (
                    <Cell
                      {...field(`${type}.${name}`, shown(limitOf(rules[type], name), isSize))}
                      row={translateMessage(TYPE_WORDS[type])}
                      column={translateMessage(head)}
                      input={number}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="trio">
        <Field
          {...field('TOTAL.storageBytes', shown(rules.TOTAL.storageBytes, true))}
          {...number}
          label={t('Storage (MiB)')}
        />
        <Field
          {...field('pack.maxFiles', shown(pack.maxFiles, false))}
          {...number}
          label={t('Files in one pack')}
        />
        <Field
          {...field('pack.maxBytes', shown(pack.maxBytes, true))}
          {...number}
          label={t('Size of one pack (MiB)')}
        />
      </div>
      <Submit name="action" value="limits">
        {t('Save')}
      </Submit>
    </Form>
  );
}

/** An input of the table: its row and column are its name, which a narrow screen shows. */
function Cell({
  name,
  value,
  error,
  row,
  column,
  input,
}: {
  readonly name: string;
  readonly value?: string | null | undefined;
  readonly error?: string | null | undefined;
  readonly row: string;
  readonly column: string;
  readonly input: InputHTMLAttributes<HTMLInputElement>;
}) {
  return (
    <>
      <label for={name}>
        <span class="unseen">{row}: </span>
        <span class="column">{column}</span>
      </label>
      <input {...input} id={name} name={name} value={value ?? undefined} {...described(name, null, error)} />
      {error && (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </>
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
        Object.fromEntries([
          ...COLUMNS.filter(([, , isSize]) => !isSize || hasBytes(type)).map(
            ([name, , isSize]) => [name, read(`${type}.${name}`, isSize)] as const,
          ),
          ...(type === 'TOTAL' ? [['storageBytes', read('TOTAL.storageBytes', true)] as const] : []),
        ]),
      ]),
    ),
    filePackLimits: { maxFiles: read('pack.maxFiles', false), maxBytes: read('pack.maxBytes', true) },
  };
}
