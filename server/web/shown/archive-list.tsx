import { msg, t } from '../../../routers/base/language/i18n.js';
import { Table } from '../components/list/table.js';
import { Card } from '../components/parts.js';
import { fileSize } from '../format.js';
import type { ArchiveListing } from './archive.js';

/** The names and sizes of the files in an archive. */
export function ArchiveList({ listing: { entries, more } }: { readonly listing: ArchiveListing }) {
  return (
    <Card title={t('In this archive')}>
      <p class="hint">
        {more
          ? t('The first {count, plural, one {# file} other {# files}}; there are more.', {
              count: entries.length,
            })
          : t('{count, plural, one {# file} other {# files}}', { count: entries.length })}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <section class="entries" aria-label={t('Files in this archive')} tabIndex={0}>
        <Table
          caption={t('Files in this archive')}
          columns={[
            { head: msg('Name'), cell: ({ entry }) => <span dir="auto">{entry.path}</span> },
            { head: msg('Size'), kind: 'number', cell: ({ entry }) => fileSize(entry.size) },
          ]}
          rows={entries.map((entry, index) => ({ entry, index }))}
          rowKey={({ index }) => index}
        />
      </section>
    </Card>
  );
}
