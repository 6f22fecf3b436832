import { t, translateMessage } from '../../../routers/base/language/i18n.js';
import { CopyButton, Submit } from '../components/button.js';
import { LastDay } from '../components/form/date.js';
import { Field } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { Icon } from '../components/icon.js';
import { Qr } from '../components/item/qr.js';
import { Listing } from '../components/list/listing.js';
import { MenuCopy, type Row, Rows } from '../components/list/rows.js';
import { Menu } from '../components/menu.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Time } from '../components/parts.js';
import { count, dateWords } from '../format.js';
import type { FormPageProps } from '../page-props.js';
import type { InviteRecord, Paged } from '../records.js';
import { rich } from '../rich.js';
import { ROLE_WORDS } from '../roles.js';
import type { Site } from '../site.js';
import { RoleSelect } from './role.js';

/** Codes for roles above the viewer's are hidden: whoever has one could get that role. */
const isHidden = (invite: InviteRecord): boolean => invite.code === '';

/** It cannot be used any more: it is used up or expired. */
const isSpent = (invite: InviteRecord): boolean => invite.used || isEnded(invite);

const isEnded = ({ expiresAt }: InviteRecord): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now();

/** Whether it is used, and if it is for several people how often. */
function stateOf(invite: InviteRecord): string {
  const { used, uses, maxUses } = invite;
  if (used) return t('used');
  if (isEnded(invite)) return t('expired');
  return maxUses === 1
    ? t('unused')
    : t('{max} of {limit} left', { max: count(maxUses - uses), limit: count(maxUses) });
}

/** The registration link of an invite. */
const linkOf = (site: Site, invite: InviteRecord): string =>
  `${site.origin}/web/register?inviteCode=${encodeURIComponent(invite.code)}`;

const isOpen = (invite: InviteRecord): boolean => !isHidden(invite) && !isSpent(invite);

/** A code that somebody has chosen, or that begins with a prefix, says which it is; others are known by their day. */
const nameOf = ({ code, createdAt }: InviteRecord): string =>
  code.replace(/[_-]?[0-9a-f]{32}$/, '') || t('Invite of {day}', { day: dateWords(createdAt.slice(0, 10)) });

/** An invite; `newest` is the one whose link can be scanned. */
const rowOf =
  (site: Site, newest: InviteRecord | undefined) =>
  (invite: InviteRecord): Row => ({
    name: isHidden(invite)
      ? t('Hidden, role: {role}', { role: translateMessage(ROLE_WORDS[invite.role]) })
      : nameOf(invite),
    href: isOpen(invite) ? linkOf(site, invite) : undefined,
    mark: { icon: 'ticket' },
    line: [
      stateOf(invite),
      invite.usedBy && t('used by {username}', { username: invite.usedBy.username }),
      isOpen(invite) && invite.expiresAt !== null
        ? rich('expires {time}', { time: <Time at={invite.expiresAt} /> })
        : null,
      invite.role === 'USER' ? null : translateMessage(ROLE_WORDS[invite.role]),
      invite.createdBy && invite.createdBy.uid !== site.viewer?.uid
        ? t('by {username}', { username: invite.createdBy.username })
        : null,
    ],
    actions: isOpen(invite) && (
      <>
        <CopyButton text={linkOf(site, invite)}>{t('Copy link')}</CopyButton>
        {invite === newest && (
          <Menu look="button quiet" name={t('QR code')} label={<Icon name="qr" />}>
            <Qr text={linkOf(site, invite)} label={t('QR code of the link')} />
          </Menu>
        )}
      </>
    ),
    menu: !isHidden(invite) && !invite.used && (
      <>
        {isOpen(invite) && <MenuCopy text={linkOf(site, invite)}>{t('Copy link')}</MenuCopy>}
        <li>
          <form method="post" action="/web/admin/invites">
            <input type="hidden" name="code" value={invite.code} />
            <button type="submit" name="action" value="revoke">
              <Icon name="x" />
              {t('Revoke')}
            </button>
          </form>
        </li>
      </>
    ),
  });

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
      <Heading title={t('Invites')} lead={t('Anyone who has such a link can create an account.')} />
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
      <Card title={t('New invite link')}>
        <Form action="/web/admin/invites" state={state}>
          <div class="trio">
            <RoleSelect site={site} value={field('role').value ?? 'USER'} except="BANNED" />
            <Field
              {...field('maxUses', '1')}
              type="number"
              label={t('For how many people')}
              min={1}
              max={100_000}
              inputMode="numeric"
            />
            <LastDay {...field('expiresAt')} label={t('Last day')} />
          </div>
          <details class="more" open={['amount', 'prefix'].some((name) => state.errors[name] !== undefined)}>
            <summary>{t('Several links')}</summary>
            <div class="pair">
              <Field
                {...field('amount', '1')}
                type="number"
                label={t('How many links')}
                min={1}
                max={100}
                inputMode="numeric"
              />
              <Field {...field('prefix')} label={t('Prefix')} maxLength={16} spellcheck={false} />
            </div>
          </details>
          <Submit icon="ticket" name="action" value="create">
            {t('Create')}
          </Submit>
        </Form>
      </Card>
      <Listing path="/web/admin/invites" list={list} empty={{ icon: 'ticket', title: t('No invites yet') }}>
        <Rows
          rows={list.items}
          rowKey={(invite) => invite.code || invite.createdAt}
          row={rowOf(site, list.items.find(isOpen))}
        />
      </Listing>
    </Page>
  );
}
