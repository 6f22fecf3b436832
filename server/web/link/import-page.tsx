import { msg, t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { TextArea } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { Table } from '../components/list/table.js';
import { Heading, Page } from '../components/page/page.js';
import { Card } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { CheckedImport } from '../records.js';

/** Rows of a checked import that are shown. */
const SHOWN = 100;

/** The form for many links at once. `checked`: what an import of this text would make; nothing is stored yet. */
export function LinkImportPage({
  site,
  state = untouched,
  checked = null,
}: FormPageProps<{ readonly checked?: CheckedImport | null }>) {
  const { field } = bind(state);
  return (
    <Page site={site} title={t('Import links')} scripts={['editor']}>
      <Heading
        title={t('Import links')}
        lead={t('All of them are stored, or none if one is refused. Check first to see what would happen.')}
      />
      <Form action="/web/url-import" state={state}>
        <TextArea
          {...field('text')}
          label={t('CSV or JSON')}
          hint={t(
            'Paste it, or drop a file here. The first line names the columns, of uniqueId, url, maxUses, expiresAt, password, tags and note; only url is needed. An export can be imported as it is.',
          )}
          placeholder={'uniqueId,url,tags\ndocs,https://example.org/docs,"work,help"'}
          rows={10}
          code
          editor
          spellcheck={false}
          required
        />
        <div class="actions">
          <Submit icon="link" name="action" value="import">
            {t('Import')}
          </Submit>
          <Submit look="plain" icon="check" name="action" value="check">
            {t('Check only')}
          </Submit>
        </div>
      </Form>
      {checked && (
        <Card title={t('{total, plural, one {# link} other {# links}}', { total: checked.total })}>
          <p class="hint">{t('Nothing is stored yet.')}</p>
          <Table
            caption={t('What an import would make')}
            columns={[
              { head: msg('Line'), kind: 'number', cell: (link) => link.line },
              {
                head: msg('Link'),
                kind: 'short',
                cell: (link) =>
                  link.reserved
                    ? t('{id}, at /r/ only: it is a word of this service', { id: link.uniqueId ?? '' })
                    : (link.uniqueId ?? t('a new ID')),
              },
              { head: msg('Destination'), kind: 'long', title: (link) => link.url, cell: (link) => link.url },
            ]}
            rows={checked.links.slice(0, SHOWN)}
            rowKey={(link) => link.line}
          />
          {checked.total > SHOWN && (
            <p class="hint">
              {t('{more, plural, one {and # more} other {and # more}}', { more: checked.total - SHOWN })}
            </p>
          )}
        </Card>
      )}
    </Page>
  );
}
