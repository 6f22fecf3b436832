import { msg, t } from '../../../routers/base/language/i18n.js';
import { ActionForm } from '../components/form/form.js';
import { type Column, Table } from '../components/list/table.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Empty, Facts, Time } from '../components/parts.js';
import { count } from '../format.js';
import type { PageProps } from '../page-props.js';

/** One kind of background job. */
export interface Queue {
  readonly kind: string;
  readonly waiting: number;
  /** Jobs that failed their last attempt. */
  readonly failed: number;
  /** When the oldest waiting job was queued. */
  readonly oldestAt: string | null;
}

/** Which words in pictures are read, and which share of the older pictures is read. */
interface Reading {
  readonly languages: readonly string[];
  readonly older: number | null;
}

const queueColumns: readonly Column<Queue>[] = [
  { head: msg('Job'), cell: (queue) => queue.kind },
  { head: msg('Waiting'), kind: 'number', cell: (queue) => count(queue.waiting) },
  { head: msg('Failed'), kind: 'number', cell: (queue) => <Failed value={queue.failed} /> },
  { head: msg('Oldest waiting'), cell: ({ oldestAt }) => (oldestAt === null ? '—' : <Time at={oldestAt} />) },
  {
    head: msg('Retry'),
    kind: 'action',
    cell: (queue) => (queue.failed === 0 ? null : <Retry kind={queue.kind} />),
  },
];

/** Background work: mail, webhooks, media. */
export function QueuesPage({
  site,
  queues,
  reading,
}: PageProps<{ readonly queues: readonly Queue[]; readonly reading: Reading }>) {
  return (
    <Page site={site} title={t('Queues')} width="wide">
      <Heading title={t('Queues')} lead={t('Background jobs. They survive a restart.')} />
      {reading.older !== null && (
        <Facts
          of={[
            [t('Words in pictures'), reading.languages.join(', ')],
            [
              t('Older pictures'),
              reading.older < 1
                ? t('{percent} % read', { percent: Math.floor(reading.older * 100) })
                : t('all read'),
            ],
          ]}
        />
      )}
      {queues.length === 0 ? (
        <Empty icon="check" title={t('Nothing is waiting')} />
      ) : (
        <Card>
          <Table caption={t('Queues')} columns={queueColumns} rows={queues} rowKey={(queue) => queue.kind} />
        </Card>
      )}
    </Page>
  );
}

function Failed({ value }: { readonly value: number }) {
  return value === 0 ? <>0</> : <Badge look="bad">{count(value)}</Badge>;
}

/** Retries the failed jobs of one kind. */
function Retry({ kind }: { readonly kind: string }) {
  return (
    <ActionForm action="/web/admin/queues" fields={{ kind }} icon="refresh">
      {t('Try again')}
    </ActionForm>
  );
}
