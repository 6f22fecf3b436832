import { msg, t } from '../../../../routers/base/language/i18n.js';
import { Settings } from '../../account/settings.js';
import { withQuery } from '../../address.js';
import { LinkButton, Submit } from '../../components/button.js';
import { Field } from '../../components/form/field.js';
import { bind, Form, untouched } from '../../components/form/form.js';
import { type Column, Table } from '../../components/list/table.js';
import { Card, Empty } from '../../components/parts.js';
import type { FormPageProps } from '../../page-props.js';
import type { PresetRecord } from '../../records.js';

/** Where the campaign parameters of an account are. */
export const PRESETS_PATH = '/web/settings/campaigns';

/** The parameters of a preset, without `utm_`. */
export const UTM = ['source', 'medium', 'campaign', 'term', 'content'] as const;

const columns: readonly Column<PresetRecord>[] = [
  { head: msg('Name'), kind: 'short', title: ({ name }) => name, cell: ({ name }) => name },
  { head: msg('Parameters'), kind: 'long', cell: (preset) => <code>{added(preset)}</code> },
  {
    head: msg('Actions'),
    kind: 'action',
    cell: ({ name }) => (
      <form method="post" action={PRESETS_PATH}>
        <input type="hidden" name="name" value={name} />
        <LinkButton look="quiet" icon="pen" href={withQuery(PRESETS_PATH, { edit: name })}>
          {t('Change')}
        </LinkButton>
        <Submit look="quiet" icon="trash" name="action" value="remove">
          {t('Remove')}
        </Submit>
      </form>
    ),
  },
];

const added = (preset: PresetRecord): string =>
  UTM.flatMap((name) => (preset[name] === null ? [] : [`utm_${name}=${preset[name]}`])).join(' ');

/** The presets of an account, and a form for another one or for the `edited` one. */
export function PresetsPage({
  site,
  presets,
  edited,
  state = untouched,
}: FormPageProps<{ readonly presets: readonly PresetRecord[]; readonly edited: PresetRecord | null }>) {
  const { field } = bind(state);
  return (
    <Settings
      site={site}
      title={t('Campaigns')}
      lead={t(
        'Parameters like utm_source that a new link can add to its target. Those that it has already stay.',
      )}
    >
      {presets.length === 0 ? (
        <Empty icon="tag" title={t('No presets yet')} />
      ) : (
        <Table caption={t('Campaigns')} columns={columns} rows={presets} rowKey={({ name }) => name} />
      )}
      <Card title={edited === null ? t('New preset') : t('Change a preset')}>
        <Form action={PRESETS_PATH} state={state}>
          <Field
            {...field('name', edited?.name)}
            label={t('Name')}
            hint={t('A preset of the same name is replaced.')}
            maxLength={60}
            required
          />
          <div class="form pair">
            {UTM.map((name) => (
              <Field
                key={name}
                {...field(name, edited?.[name])}
                label={`utm_${name}`}
                maxLength={200}
                spellcheck={false}
              />
            ))}
          </div>
          <Submit>{t('Save')}</Submit>
        </Form>
      </Card>
    </Settings>
  );
}
