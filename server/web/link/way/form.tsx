import { t, translateMessage } from '../../../../routers/base/language/i18n.js';
import { Submit } from '../../components/button.js';
import { Check, Select } from '../../components/form/choices.js';
import { Amount, Field } from '../../components/form/field.js';
import { bind, Form, type FormState } from '../../components/form/form.js';
import { inEntry } from '../../components/form/names.js';
import { Card } from '../../components/parts.js';
import type { ShortUrlRecord } from '../../records.js';
import { conditionWords, DEVICE_NAMES, type LinkPart, type LinkRule, queryText } from './words.js';

/** The most rules and parts that a link has. */
export const MOST = { rules: 20, split: 10 } as const;

/** A rule or a part that is not there yet. */
const NO_RULE: LinkRule = { when: {}, url: '' };
const NO_PART = { url: '', weight: null };

/** The form for the rules and parts of a link: what is there, and room for more. Parts with an empty address go. */
export function WayForm({
  path,
  link: { rules, split },
  state,
}: {
  readonly path: string;
  readonly link: Pick<ShortUrlRecord, 'rules' | 'split'>;
  readonly state: FormState;
}) {
  const shown = [...rules, ...(rules.length < MOST.rules ? [NO_RULE] : [])];
  const parts = [...split, ...[NO_PART, NO_PART].slice(0, MOST.split - split.length)];
  return (
    <Form action={path} state={state} files>
      <Card
        title={t('Rules')}
        hint={t('The first one that fits decides. A rule fits if everything in it does.')}
      >
        {shown.map((rule, index) => (
          <RuleFields key={index} index={index} rule={rule} state={state} isNew={rule === NO_RULE} />
        ))}
      </Card>
      <Card
        title={t('Parts')}
        hint={t('Whom no rule leads on is sent to one of these by chance, by weight. Two to ten, or none.')}
      >
        {parts.map((part, index) => (
          <PartFields key={index} index={index} part={part} state={state} />
        ))}
      </Card>
      <div class="actions">
        <Submit>{t('Save')}</Submit>
      </div>
    </Form>
  );
}

function RuleFields({
  index,
  rule,
  state,
  isNew,
}: {
  readonly index: number;
  readonly rule: LinkRule;
  readonly state: FormState;
  readonly isNew: boolean;
}) {
  const { field, box } = bind(state);
  const at = (name: string) => inEntry('rules', index, name);
  const { when, url } = rule;
  const wrong = Object.keys(state.errors).some((name) => name.startsWith(at('')));
  return (
    <details class="more" open={wrong || (isNew && index === 0)}>
      <summary>
        {isNew ? t('New rule') : `${index + 1}. ${conditionWords(rule).join(' · ')} → ${url}`}
      </summary>
      <fieldset class="checks">
        <legend>{t('Device')}</legend>
        {Object.entries(DEVICE_NAMES).map(([name, words]) => (
          <Check
            key={name}
            {...box(at('when.device'), when.device?.includes(name), name)}
            id={at(name)}
            label={translateMessage(words)}
          />
        ))}
      </fieldset>
      <div class="form pair">
        <Field
          {...field(at('when.country'), when.country?.join(', '))}
          label={t('Countries')}
          hint={t('Codes like DE, AT')}
          spellcheck={false}
        />
        <Field
          {...field(at('when.language'), when.language?.join(', '))}
          label={t('Languages')}
          hint={t('Codes like de, pt-BR')}
          spellcheck={false}
        />
        <Field
          {...field(at('when.from'), when.from)}
          label={t('Since')}
          hint={t('Like 2030-01-31T12:00Z, or each day from 08:00 Europe/Berlin')}
        />
        <Field {...field(at('when.to'), when.to)} label={t('Until')} />
        <Field
          {...field(at('when.query'), queryText(when.query))}
          label={t('Parameters of the address')}
          hint={t('Like ref=mail&lang=*')}
          spellcheck={false}
        />
        <Select
          {...field(at('when.bot'), when.bot === undefined ? '' : String(when.bot))}
          label={t('Visitors')}
          options={[
            ['', t('People and bots')],
            ['false', t('only people')],
            ['true', t('only bots')],
          ]}
        />
      </div>
      <Field {...field(at('url'), url)} label={t('Leads to')} inputMode="url" spellcheck={false} />
      {!isNew && (
        <Select
          {...field(at('move'), '')}
          label={t('When this is saved')}
          options={[
            ['', t('it stays in its place')],
            ...(index === 0 ? [] : [['up', t('it moves up by one')] as const]),
            ['drop', t('it is removed')],
          ]}
        />
      )}
    </details>
  );
}

function PartFields({
  index,
  part,
  state,
}: {
  readonly index: number;
  readonly part: LinkPart | typeof NO_PART;
  readonly state: FormState;
}) {
  const { field } = bind(state);
  return (
    <div class="form pair">
      <Field
        {...field(inEntry('split', index, 'url'), part.url)}
        label={t('Part {n}', { n: String(index + 1) })}
        inputMode="url"
        spellcheck={false}
      />
      <Amount {...field(inEntry('split', index, 'weight'), part.weight)} label={t('Weight')} max={1000} />
    </div>
  );
}
