import { readableSize } from '../../../routers/embed.js';
import { LinkButton } from '../components/button.js';
import { Bars } from '../components/chart.js';
import { Icon, type IconName } from '../components/icon.js';
import { Tile } from '../components/media.js';
import { Heading, Page } from '../components/page.js';
import { Card, Empty, Figure } from '../components/parts.js';
import { count } from '../format.js';
import type { DayCount, FullUser, ListedImage } from '../records.js';
import { mayMake, type Site } from '../site.js';

const doors: readonly (readonly [href: string, icon: IconName, title: string, text: string])[] = [
  [
    '/web/image-upload',
    'image',
    'Images and video',
    'They show, play and preview properly wherever you share them. Location data is removed.',
  ],
  [
    '/web/paste-create',
    'paste',
    'Text and code',
    'With syntax highlighting and links to lines. For a day, forever, or until read once.',
  ],
  [
    '/web/url-create',
    'link',
    'Short links',
    'With an ID of your choice, a limit on uses, and every visit counted.',
  ],
];

/** The start page for visitors. */
export function WelcomePage({ site }: { readonly site: Site }) {
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
}: {
  readonly site: Site;
  readonly user: FullUser;
  readonly recent: readonly ListedImage[];
  /** How much was created on each of the last 30 days, ascending. */
  readonly days: readonly DayCount[];
}) {
  return (
    <Page site={site} title="Overview">
      <Heading title="Overview" />
      {mayMake(site.viewer) && <Doors short />}
      <div class="figures">
        <Figure label="Uploads" value={count(user.stats.totalUploads)} />
        <Figure label="Pastes" value={count(user.stats.pastesCreated)} />
        <Figure label="Links" value={count(user.stats.urlsShortened)} />
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
      {doors.map(([href, icon, title, text]) => (
        <a key={href} class="door" href={href}>
          <Icon name={icon} />
          <strong>{title}</strong>
          {!short && <span>{text}</span>}
        </a>
      ))}
    </div>
  );
}
