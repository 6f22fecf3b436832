import { msg, t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Listing } from '../components/list/listing.js';
import { type Column, Table } from '../components/list/table.js';
import { Heading, Page } from '../components/page/page.js';
import { Time } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import type { AdminDomainRecord, Paged } from '../records.js';
import { DomainState } from './domains-page.js';

/** Where administrators decide about domains. */
export const ADMIN_PATH = '/web/admin/domains';

const columns: readonly Column<AdminDomainRecord>[] = [
  { head: msg('Host'), kind: 'long', title: ({ host }) => host, cell: ({ host }) => <code>{host}</code> },
  {
    head: msg('Account'),
    kind: 'short',
    cell: ({ uid, username }) => (
      <a href={`/web/admin/users/${uid}`} dir="auto">
        {username}
      </a>
    ),
  },
  { head: msg('Status'), kind: 'short', cell: ({ state }) => <DomainState state={state} /> },
  { head: msg('Created'), cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: msg('Actions'),
    kind: 'action',
    cell: ({ host, uid, approved }) => (
      <form method="post" action={ADMIN_PATH}>
        <input type="hidden" name="host" value={host} />
        <input type="hidden" name="uid" value={uid} />
        {approved !== true && (
          <Submit look="quiet" name="approved" value="true">
            {t('Approve')}
          </Submit>
        )}
        {approved !== false && (
          <Submit look="quiet" name="approved" value="false">
            {t('Refuse')}
          </Submit>
        )}
      </form>
    ),
  },
];

/** The domains of all accounts, those that wait for a decision first. */
export function AdminDomainsPage({ site, list }: PageProps<{ readonly list: Paged<AdminDomainRecord> }>) {
  return (
    <Page site={site} title={t('Domains')} width="wide">
      <Heading title={t('Domains')} lead={t('Names that accounts have their short links under.')} />
      <Listing path={ADMIN_PATH} list={list} empty={{ icon: 'globe', title: t('No domains yet') }}>
        <Table
          caption={t('Domains')}
          columns={columns}
          rows={list.items}
          rowKey={({ uid, host }) => `${uid} ${host}`}
        />
      </Listing>
    </Page>
  );
}
