import { listPath } from '../address.js';
import { CopyButton, Submit } from '../components/button.js';
import { Field } from '../components/field.js';
import { Form, type FormState, typed, untouched } from '../components/form.js';
import { Icon } from '../components/icon.js';
import { Heading, Page } from '../components/page.js';
import { Pager } from '../components/pager.js';
import { Badge, Card, Empty, Person, Time } from '../components/parts.js';
import { type Column, Table } from '../components/table.js';
import type { InviteRecord, Paged } from '../records.js';
import type { Site } from '../site.js';

/** Whoever had the code of an invite could be what it makes: those of higher roles are not shown. */
const isHidden = (invite: InviteRecord): boolean => invite.code === '';

/** Nobody registers with it: it is used up, or its time is over. */
const isSpent = (invite: InviteRecord): boolean => invite.used || isOver(invite);

const isOver = ({ expiresAt }: InviteRecord): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now();

function State({ invite }: { readonly invite: InviteRecord }) {
  const { used, uses, maxUses, expiresAt } = invite;
  if (used) return <Badge>used</Badge>;
  if (isOver(invite)) return <Badge>expired</Badge>;
  return (
    <>
      <Badge look="good">{maxUses === 1 ? 'free' : `${maxUses - uses} of ${maxUses} free`}</Badge>
      {expiresAt !== null && (
        <div class="hint">
          until <Time at={expiresAt} />
        </div>
      )}
    </>
  );
}

/** Where somebody registers with an invite. */
const linkOf = (site: Site, invite: InviteRecord): string =>
  `${site.origin}/web/register?inviteCode=${encodeURIComponent(invite.code)}`;

const columnsOf = (site: Site): readonly Column<InviteRecord>[] => [
  {
    head: 'Code',
    cell: (invite) =>
      isHidden(invite) ? (
        <span class="hint">Hidden: it makes an {invite.role.toLowerCase()}</span>
      ) : isSpent(invite) ? (
        <code>{invite.code}</code>
      ) : (
        <a href={linkOf(site, invite)}>
          <code>{invite.code}</code>
        </a>
      ),
  },
  { head: 'State', cell: (invite) => <State invite={invite} /> },
  { head: 'From', cell: (invite) => invite.createdBy && <Person user={invite.createdBy} /> },
  { head: 'Taken by', cell: (invite) => (invite.usedBy ? <Person user={invite.usedBy} /> : '—') },
  { head: 'Created', cell: (invite) => <Time at={invite.createdAt} /> },
  {
    head: 'Do',
    kind: 'action',
    cell: (invite) =>
      invite.used || isHidden(invite) ? null : (
        <form method="post" action="/web/admin/invites">
          {!isOver(invite) && (
            <CopyButton look="quiet" text={linkOf(site, invite)} label={`Copy link of ${invite.code}`}>
              Copy link
            </CopyButton>
          )}
          <input type="hidden" name="code" value={invite.code} />
          <Submit look="quiet" name="action" value="revoke">
            Revoke
          </Submit>
        </form>
      ),
  },
];

/** Invitations, the newest first: each free one with the link that registers with it. */
export function InvitesPage({
  site,
  list,
  state = untouched,
}: {
  readonly site: Site;
  readonly list: Paged<InviteRecord>;
  readonly state?: FormState | undefined;
}) {
  return (
    <Page site={site} title="Invites">
      <Heading title="Invites" lead="Whoever has a free code can make an account." />
      {site.mailTransport === 'outbox' && (
        <p class="notice">
          <Icon name="mail" />
          <span>
            Mail is only written to files here (MAIL_TRANSPORT=outbox): the code that activates a new account
            reaches nobody, but lies in outbox/ of DATA_DIR. Accounts made under{' '}
            <a href="/web/admin/users">People</a> are active at once.
          </span>
        </p>
      )}
      <Card title="Make some">
        <Form action="/web/admin/invites" state={state}>
          <div class="pair">
            <Field
              name="amount"
              type="number"
              label="How many"
              value={typed(state, 'amount', '1')}
              min={1}
              max={100}
              inputMode="numeric"
              error={state.errors.amount}
            />
            <Field
              name="prefix"
              label="Prefix"
              value={typed(state, 'prefix')}
              maxLength={16}
              error={state.errors.prefix}
              optional
              spellcheck={false}
            />
          </div>
          <Submit icon="ticket" name="action" value="create">
            Make
          </Submit>
        </Form>
      </Card>
      {list.total === 0 ? (
        <Empty icon="ticket" title="No invites yet" />
      ) : (
        list.items.length > 0 && (
          <Card>
            <Table
              caption="Invites"
              columns={columnsOf(site)}
              rows={list.items}
              rowKey={(invite) => invite.code || invite.createdAt}
            />
          </Card>
        )
      )}
      <Pager list={list} href={(page) => listPath('/web/admin/invites', { page })} />
    </Page>
  );
}
