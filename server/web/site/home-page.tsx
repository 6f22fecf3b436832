import { readableSize } from '../../../routers/embed.js';
import { KIND_NAMES, KINDS } from '../../../routers/kinds.js';
import { LinkButton } from '../components/button.js';
import { Bars } from '../components/chart.js';
import { Icon } from '../components/icon.js';
import { ItemFigures } from '../components/item/item-figures.js';
import { Tile } from '../components/item/media.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Empty, Figure } from '../components/parts.js';
import { KIND_WORDS } from '../kinds.js';
import type { PageProps } from '../page-props.js';
import type { DayCount, FullUser, ListedImage } from '../records.js';
import { mayMake } from '../site.js';

/** The start page for visitors. */
export function WelcomePage({ site }: PageProps) {
  return (
    <Page site={site} title="Holdall" shell="content" indexed>
      <div class="hero">
        <h1>One place for everything you share.</h1>
        <p class="lead">
          Add an image, a video, some text or a long URL, and get a link that works everywhere.
        </p>
        <div class="actions">
          <LinkButton href="/web/login" look="primary">
            Sign in
          </LinkButton>
          {site.registration !== 'closed' && <LinkButton href="/web/register">Create an account</LinkButton>}
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
  days,
}: PageProps<{
  readonly user: FullUser;
  readonly recent: readonly ListedImage[];
  /** How much was created on each of the last 30 days, ascending. */
  readonly days: readonly DayCount[];
}>) {
  return (
    <Page site={site} title="Overview">
      <Heading title="Overview" />
      {mayMake(site.viewer) && <Doors short />}
      <div class="figures">
        <ItemFigures of={(kind) => user.stats[KIND_NAMES[kind].counter]} />
        <Figure label="Storage" value={readableSize(user.stats.storageUsed)} />
      </div>
      <Card
        title="Latest uploads"
        actions={
          <LinkButton href="/web/library" look="quiet">
            Show all
          </LinkButton>
        }
      >
        {recent.length === 0 ? (
          <Empty icon="bag" title="Nothing here yet">
            <p>Your uploads will appear here.</p>
          </Empty>
        ) : (
          <ul class="gallery">
            {recent.map((image) => (
              <Tile key={image.uniqueId} image={image} eager />
            ))}
          </ul>
        )}
      </Card>
      <Card title="Last 30 days">
        <Bars title="Created per day" points={days.map((day) => ({ label: day.first, value: day.second }))} />
      </Card>
    </Page>
  );
}

function Doors({ short = false }: { readonly short?: boolean }) {
  return (
    <div class={short ? 'three short' : 'three'}>
      {KINDS.map((kind) => KIND_WORDS[kind]).map(({ entry, create: [href] }) => (
        <a key={href} class="entry" href={href}>
          <Icon name={entry.icon} />
          <strong>{entry.title}</strong>
          {!short && <span>{entry.text}</span>}
        </a>
      ))}
    </div>
  );
}
