import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import { CopyButton, Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { Listing } from '../components/list/listing.js';
import { type Column, Table } from '../components/list/table.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Time } from '../components/parts.js';
import { count } from '../format.js';
import type { FormPageProps } from '../page-props.js';
import type { InviteRecord, Paged } from '../records.js';
import { rich } from '../rich.js';
import { ROLE_WORDS } from '../roles.js';
import type { Site } from '../site.js';

/** Codes for roles above the viewer's are hidden: whoever has one could get that role. */
const isHidden = (invite: InviteRecord): boolean => invite.code === '';

/** It cannot be used any more: it is used up or expired. */
const isSpent = (invite: InviteRecord): boolean => invite.used || isEnded(invite);

const isEnded = ({ expiresAt }: InviteRecord): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now();

function State({ invite }: { readonly invite: InviteRecord }) {
  const { used, uses, maxUses, expiresAt } = invite;
  if (used) return <Badge>{t('used')}</Badge>;
  if (isEnded(invite)) return <Badge>{t('expired')}</Badge>;
  return (
    <>
      <Badge look="good">
        {maxUses === 1
          ? t('unused')
          : t('{max} of {limit} left', { max: count(maxUses - uses), limit: count(maxUses) })}
      </Badge>
      {expiresAt !== null && (
        <div class="hint">{rich('expires {time}', { time: <Time at={expiresAt} /> })}</div>
      )}
    </>
  );
}

/** Who it was, below what happened. */
const By = ({ user }: { readonly user: { readonly username: string } }) => (
  <div class="hint" dir="auto">
    {t('by {username}', { username: user.username })}
  </div>
);

/** The registration link of an invite. */
const linkOf = (site: Site, invite: InviteRecord): string =>
  `${site.origin}/web/register?inviteCode=${encodeURIComponent(invite.code)}`;

const columnsOf = (site: Site): readonly Column<InviteRecord>[] => [
  {
    head: msg('Code'),
    kind: 'long',
    title: ({ code }) => code || null,
    cell: (invite) =>
      isHidden(invite) ? (
        <span class="hint">
          {t('Hidden, role: {role}', { role: translateMessage(ROLE_WORDS[invite.role]) })}
        </span>
      ) : isSpent(invite) ? (
        <code>{invite.code}</code>
      ) : (
        <a href={linkOf(site, invite)}>
          <code>{invite.code}</code>
        </a>
      ),
  },
  {
    head: msg('Status'),
    kind: 'short',
    cell: (invite) => (
      <>
        <State invite={invite} />
        {invite.usedBy && <By user={invite.usedBy} />}
      </>
    ),
  },
  {
    head: msg('Created'),
    kind: 'short',
    cell: (invite) => (
      <>
        <Time at={invite.createdAt} />
        {invite.createdBy && <By user={invite.createdBy} />}
      </>
    ),
  },
  {
    head: msg('Actions'),
    kind: 'action',
    cell: (invite) =>
      invite.used || isHidden(invite) ? null : (
        <form method="post" action="/web/admin/invites">
          {!isEnded(invite) && (
            <CopyButton
              look="quiet"
              text={linkOf(site, invite)}
              label={t('Copy link for {code}', { code: invite.code })}
            />
          )}
          <input type="hidden" name="code" value={invite.code} />
          <Submit look="quiet" name="action" value="revoke">
            {t('Revoke')}
          </Submit>
        </form>
      ),
  },
];

/** Invite codes, newest first, each unused one with its registration link. */
export function InvitesPage({
  site,
  list,
  state = untouched,
}: FormPageProps<{
  readonly list: Paged<InviteRecord>;
}>) {
  const { field } = bind(state);
  return (
    <Page site={site} title={t('Invites')} width="wide">
      <Heading title={t('Invites')} lead={t('Anyone with an unused invite code can create an account.')} />
      {site.mailThrough === null && (
        <p class="notice">
          <Icon name="mail" />
          <span>
            {rich('This server can’t send e-mail. Activate new people under <a>People</a>.', {
              a: (inside) => <a href="/web/admin/users">{inside}</a>,
            })}
          </span>
        </p>
      )}
      <Card title={t('New invite codes')}>
        <Form action="/web/admin/invites" state={state}>
          <div class="pair">
            <Field
              {...field('amount', '1')}
              type="number"
              label={t('How many')}
              min={1}
              max={100}
              inputMode="numeric"
            />
            <Field {...field('prefix')} label={t('Prefix')} maxLength={16} spellcheck={false} />
          </div>
          <Submit icon="ticket" name="action" value="create">
            {t('Create')}
          </Submit>
        </Form>
      </Card>
      <Listing
        path="/web/admin/invites"
        list={list}
        empty={{ icon: 'ticket', title: t('No invite codes yet') }}
      >
        <Table
          caption={t('Invites')}
          columns={columnsOf(site)}
          rows={list.items}
          rowKey={(invite) => invite.code || invite.createdAt}
        />
      </Listing>
    </Page>
  );
}
