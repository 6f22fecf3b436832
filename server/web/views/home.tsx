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
    'Pictures and video',
    'Shown, played and unfurled as they should be. Where they were taken stays with you.',
  ],
  [
    '/web/paste-create',
    'paste',
    'Text and code',
    'In colour, with lines to link to. For a day, for good, or for one reading.',
  ],
  [
    '/web/url-create',
    'link',
    'Short links',
    'With your own word in them, a limit on uses, and every visit counted.',
  ],
];

/** The start page of somebody who is not signed in. */
export function WelcomePage({ site }: { readonly site: Site }) {
  return (
    <Page site={site} title="Holdall" shell="content" indexed>
      <div class="hero">
        <h1>One bag for what you want to hand around.</h1>
        <p class="lead">
          Put in a picture, a video, some text or a long address. Take out a link that works everywhere.
        </p>
        <div class="actions">
          <LinkButton href="/web/login" look="primary">
            Sign in
          </LinkButton>
          {site.registration !== 'closed' && <LinkButton href="/web/register">Make an account</LinkButton>}
        </div>
      </div>
      <Doors />
    </Page>
  );
}

/** The start page of the signed-in: make something, find the latest, see how things are going. */
export function OverviewPage({
  site,
  user,
  recent,
  days,
}: {
  readonly site: Site;
  readonly user: FullUser;
  readonly recent: readonly ListedImage[];
  /** Everything made in the last 30 days, per day, ascending. */
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
        title="Latest"
        actions={
          <LinkButton href="/web/library" look="quiet">
            All of them
          </LinkButton>
        }
      >
        {recent.length === 0 ? (
          <Empty icon="bag" title="The bag is empty">
            <p>What you upload shows up here.</p>
          </Empty>
        ) : (
          <ul class="gallery">
            {recent.map((image) => (
              <Tile key={image.uniqueId} image={image} eager />
            ))}
          </ul>
        )}
      </Card>
      <Card title="The last 30 days">
        <Bars title="Made per day" points={days.map((day) => ({ label: day.first, value: day.second }))} />
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
