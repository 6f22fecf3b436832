import { KIND_NAMES, KINDS } from '../../../routers/base/kinds.js';
import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import { itemPath } from '../address.js';
import { Activate } from '../admin/role.js';
import { LinkButton } from '../components/button.js';
import { Bars } from '../components/chart.js';
import { Icon } from '../components/icon.js';
import { ItemFigures } from '../components/item/item-figures.js';
import { Tile } from '../components/item/media.js';
import { Table } from '../components/list/table.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Empty, Figure, Person } from '../components/parts.js';
import { count, dateWords, fileSize } from '../format.js';
import { KIND_WORDS } from '../kinds.js';
import { LimitsLeft, PauseNotice } from '../limits/left.js';
import type { PageProps } from '../page-props.js';
import type { DayCount, FullUser, ListedImage, OpenedStats, OwnLimits, UserSummary } from '../records.js';
import { mayMake } from '../site.js';
import { barsOf } from '../visits/range.js';
import { Checklist, type Step } from './checklist.js';
import { HeroPicture } from './hero-picture.js';

/** The start page for visitors. */
export function WelcomePage({ site }: PageProps) {
  return (
    <Page site={site} title={site.branding.name} indexed>
      <div class="hero">
        <HeroPicture />
        <h1 dir="auto">{site.branding.tagline ?? t('One place for everything you share.')}</h1>
        <p class="lead">
          {t('Add an image, a video, some text or a long URL, and get a link that works everywhere.')}
        </p>
        <div class="actions">
          <LinkButton href="/web/login" look="primary">
            {t('Sign in')}
          </LinkButton>
          {site.registration !== 'closed' && (
            <LinkButton href="/web/register">{t('Create an account')}</LinkButton>
          )}
          {site.guestMailboxes && (
            <LinkButton href="/web/guest-mailbox" icon="mail">
              {t('Temporary mailbox')}
            </LinkButton>
          )}
        </div>
      </div>
      <Doors />
    </Page>
  );
}

/** The start page for signed-in users: shortcuts, latest uploads and statistics. */
export function OverviewPage({
  site,
  user,
  recent,
  opened,
  days,
  limits,
  steps,
  waiting,
}: PageProps<{
  readonly user: FullUser;
  readonly recent: readonly ListedImage[];
  /** How often everything was opened in the last 30 days. */
  readonly opened: OpenedStats;
  /** How much was created on each of the last 30 days, ascending. */
  readonly days: readonly DayCount[];
  readonly limits: OwnLimits;
  /** The first steps that are left; none once they are done or dismissed. */
  readonly steps: readonly Step[];
  /** Who has registered and waits to be let in; for administrators. */
  readonly waiting: readonly (UserSummary & Pick<FullUser, 'status'>)[];
}>) {
  return (
    <Page site={site} title={t('Overview')}>
      <Heading title={t('Overview')} />
      <PauseNotice limits={limits} />
      {waiting.length > 0 && (
        <Card title={t('Waiting to be let in')}>
          <ul class="rows">
            {waiting.map((user) => (
              <li key={user.uid}>
                <a class="what" href={`/web/admin/users/${user.uid}`}>
                  <Person user={user} />
                </a>
                <Activate user={user} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      {steps.length > 0 && <Checklist steps={steps} />}
      {mayMake(site.viewer) && <Doors short />}
      <div class="figures">
        <ItemFigures of={(kind) => user.stats[KIND_NAMES[kind].counter]} />
        <Figure label={t('Storage')} value={fileSize(user.stats.storageUsed)} />
      </div>
      <Card
        title={t('Latest files')}
        actions={
          <LinkButton href="/web/library" look="quiet">
            {t('Show all')}
          </LinkButton>
        }
      >
        {recent.length === 0 ? (
          <Empty icon="bag" title={t('Nothing here yet')}>
            <p>{t('Your files will appear here.')}</p>
          </Empty>
        ) : (
          <ul class="gallery">
            {recent.map((image) => (
              <Tile key={image.uniqueId} image={image} eager />
            ))}
          </ul>
        )}
      </Card>
      {opened.visits > 0 && <Opened of={opened} days={days} />}
      <LimitsLeft limits={limits} />
      {days.some((day) => day.second > 0) && (
        <Card title={t('Created in the last 30 days')}>
          <Bars
            title={t('Created per day')}
            points={days.map((day) => ({ label: dateWords(day.first), value: day.second }))}
          />
        </Card>
      )}
    </Page>
  );
}

/** Visits and views by day, and what was opened most often. */
function Opened({ of, days }: { readonly of: OpenedStats; readonly days: readonly DayCount[] }) {
  const [from = '', to = from] = [days[0]?.first, days.at(-1)?.first];
  return (
    <Card title={t('Visits and views in the last 30 days')}>
      <Bars
        title={t('Visits and views')}
        points={barsOf({ from, to }, of.perDay)}
        ends={[dateWords(from), dateWords(to)]}
      />
      {of.most.length > 0 && <MostVisited of={of.most} />}
    </Card>
  );
}

function MostVisited({ of }: { readonly of: OpenedStats['most'] }) {
  return (
    <>
      <h3>{t('Most visited')}</h3>
      <Table
        caption={t('Most visited')}
        columns={[
          {
            head: msg('Item'),
            kind: 'long',
            title: (item) => item.title,
            cell: (item) => (
              <a href={itemPath(item.kind, item.uniqueId)} dir="auto">
                {item.title}
              </a>
            ),
          },
          { head: msg('Kind'), kind: 'short', cell: (item) => translateMessage(KIND_WORDS[item.kind].noun) },
          {
            head: msg('By people'),
            kind: 'number',
            cell: (item) => <a href={KIND_WORDS[item.kind].counts(item.uniqueId)}>{count(item.people)}</a>,
          },
          { head: msg('Bots'), kind: 'number', cell: (item) => count(item.bots) },
        ]}
        rows={of}
        rowKey={(item) => `${item.kind}/${item.uniqueId}`}
      />
    </>
  );
}

function Doors({ short = false }: { readonly short?: boolean }) {
  return (
    <div class={short ? 'three short' : 'three'}>
      {KINDS.map((kind) => KIND_WORDS[kind]).map(({ entry, create: [href] }) => (
        <a key={href} class="entry" href={href}>
          <Icon name={entry.icon} />
          <strong>{translateMessage(entry.title)}</strong>
          {!short && <span>{translateMessage(entry.text)}</span>}
        </a>
      ))}
    </div>
  );
}
