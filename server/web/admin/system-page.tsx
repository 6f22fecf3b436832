import { readableSize } from '../../../routers/embed.js';
import { KIND_NAMES, type Plural } from '../../../routers/kinds.js';
import { Submit } from '../components/button.js';
import { ItemFigures } from '../components/item/item-figures.js';
import { ListPage } from '../components/list/list-page.js';
import { type Column, Table } from '../components/list/table.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Empty, Facts, Figure, Person, Time } from '../components/parts.js';
import { count, duration } from '../format.js';
import type { Paged, UserSummary } from '../records.js';
import type { Site } from '../site.js';

/** One kind of background job. */
export interface Queue {
  readonly kind: string;
  readonly waiting: number;
  /** Jobs that failed their last attempt. */
  readonly failed: number;
  /** When the oldest waiting job was queued. */
  readonly oldestAt: string | null;
}

const queueColumns: readonly Column<Queue>[] = [
  { head: 'Job', cell: (queue) => queue.kind },
  { head: 'Waiting', kind: 'number', cell: (queue) => count(queue.waiting) },
  { head: 'Failed', kind: 'number', cell: (queue) => <Failed value={queue.failed} /> },
  { head: 'Oldest waiting', cell: ({ oldestAt }) => (oldestAt === null ? '—' : <Time at={oldestAt} />) },
  {
    head: 'Retry',
    kind: 'action',
    cell: (queue) => (queue.failed === 0 ? null : <Retry kind={queue.kind} />),
  },
];

/** Background work: mail, webhooks, media. */
export function QueuesPage({ site, queues }: { readonly site: Site; readonly queues: readonly Queue[] }) {
  return (
    <Page site={site} title="Queues" width="wide">
      <Heading title="Queues" lead="Background jobs. They survive a restart." />
      {queues.length === 0 ? (
        <Empty icon="check" title="Nothing is waiting" />
      ) : (
        <Card>
          <Table caption="Queues" columns={queueColumns} rows={queues} rowKey={(queue) => queue.kind} />
        </Card>
      )}
    </Page>
  );
}

/** An entry of the audit log. */
export interface AuditRow {
  readonly id: number;
  readonly at: string;
  readonly event: string;
  readonly actor: UserSummary | null;
  readonly subject: UserSummary | null;
  /** User IDs, which are kept when the account is deleted. */
  readonly actorId: number | null;
  readonly subjectId: number | null;
  readonly ipAddress: string | null;
  readonly details: Readonly<Record<string, string | number | boolean | null>>;
}

const auditColumns: readonly Column<AuditRow>[] = [
  { head: 'Time', cell: (entry) => <Time at={entry.at} /> },
  { head: 'Event', cell: (entry) => <code>{entry.event}</code> },
  { head: 'By', cell: (entry) => <Someone user={entry.actor} id={entry.actorId} /> },
  { head: 'Account', cell: (entry) => <Someone user={entry.subject} id={entry.subjectId} /> },
  {
    head: 'Details',
    cell: (entry) =>
      Object.entries(entry.details)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
  },
  { head: 'IP address', kind: 'short', cell: (entry) => entry.ipAddress ?? '—' },
];

/** Every security-relevant event, newest first. */
export function AuditPage({ site, list }: { readonly site: Site; readonly list: Paged<AuditRow> }) {
  return (
    <ListPage
      site={site}
      path="/web/admin/audit"
      title="Audit log"
      width="wide"
      list={list}
      empty={{ icon: 'shield', title: 'No events yet' }}
      caption="Events"
      columns={auditColumns}
      rowKey={(entry) => entry.id}
    />
  );
}

/** A component that the process depends on. */
export interface Part {
  readonly name: string;
  readonly ok: boolean;
  /** A warning about a component that works, but not as users may expect. */
  readonly but?: string;
  readonly detail: string;
}

/** State of the process and its components. */
export interface Health {
  readonly version: string;
  readonly startedAt: string;
  readonly uptimeMs: number;
  /** Memory in use, in bytes. */
  readonly memory: number;
  readonly parts: readonly Part[];
  readonly totals: Readonly<Record<Plural | 'users' | 'storageUsed', number>>;
}

/** The state of the system. */
export function SystemPage({ site, health }: { readonly site: Site; readonly health: Health }) {
  return (
    <Page site={site} title="System">
      <Heading title="System" />
      <div class="figures">
        <Figure label="People" value={count(health.totals.users)} />
        <ItemFigures of={(kind) => health.totals[KIND_NAMES[kind].plural]} />
        <Figure label="Storage" value={readableSize(health.totals.storageUsed)} />
      </div>
      <Card title="Components">
        <ul class="rows">
          {health.parts.map((part) => (
            <li key={part.name}>
              <span class="what">
                {part.name}
                <br />
                <span class="hint">{part.detail}</span>
              </span>
              <PartBadge part={part} />
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Process">
        <Facts
          of={[
            ['Version', health.version],
            ['Started', <Time key="started" at={health.startedAt} />],
            ['Uptime', duration(health.uptimeMs)],
            ['Memory', readableSize(health.memory)],
          ]}
        />
      </Card>
    </Page>
  );
}

function PartBadge({ part: { ok, but } }: { readonly part: Part }) {
  if (!ok) {
    return (
      <Badge look="bad" icon="warning">
        failing
      </Badge>
    );
  }
  return (
    <Badge look={but ? 'warn' : 'good'} icon={but ? 'warning' : 'check'}>
      {but ?? 'ok'}
    </Badge>
  );
}

function Someone({ user, id }: { readonly user: UserSummary | null; readonly id: number | null }) {
  if (user !== null) return <Person user={user} />;
  return <>{id === null ? '—' : `Deleted account ${id}`}</>;
}

function Failed({ value }: { readonly value: number }) {
  return value === 0 ? <>0</> : <Badge look="bad">{count(value)}</Badge>;
}

/** Retries the failed jobs of one kind. */
function Retry({ kind }: { readonly kind: string }) {
  return (
    <form method="post" action="/web/admin/queues">
      <input type="hidden" name="kind" value={kind} />
      <Submit look="quiet" icon="refresh">
        Try again
      </Submit>
    </form>
  );
}
