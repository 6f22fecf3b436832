import type { ComponentChildren } from 'preact';
import { t } from '../../../../routers/base/language/i18n.js';
import { accentPath } from '../../branding/accent.js';
import { MANIFEST_PATH } from '../../branding/manifest.js';
import { bareUrl } from '../../format.js';
import type { Meta } from '../../preview.js';
import { rich } from '../../rich.js';
import { mayMake, type Site } from '../../site.js';
import { CopyButton } from '../button.js';
import { Icon } from '../icon.js';
import { Time } from '../parts.js';
import { BrandingBanner, BrandingIcons, BrandingLinks, DemoBanner } from './branding.js';
import { Sidebar, TopBar } from './nav.js';
import { SectionTabs } from './section.js';
import { Themes } from './themes.js';

/** Scripts that a page may need besides the core script of every page. */
export type Script =
  | 'upload'
  | 'fetching'
  | 'library'
  | 'embed'
  | 'live'
  | 'proof'
  | 'passkey'
  | 'request'
  | 'viewer'
  | 'editor'
  | 'order'
  | 'anywhere'
  | 'code'
  | 'diagram'
  | 'wall'
  | 'sealed'
  | 'seal';

/** Those of pages that do something else with dropped files. */
const TAKES_FILES: readonly Script[] = ['upload', 'request'];

/** What was just created: its link, who can open it until when, and where that is changed. */
interface Made {
  readonly link: string;
  readonly requiresPassword: boolean;
  readonly isPublic: boolean;
  readonly expiresAt: string | null;
  readonly change: string;
}

interface Props {
  readonly site: Site;
  readonly title: string;
  /** Metadata for link previews. */
  readonly meta?: readonly Meta[];
  /** Whether search engines may list the page; shared items are found by their link only. */
  readonly indexed?: boolean;
  readonly scripts?: readonly Script[];
  /** `narrow` for a form, `wide` for what uses all the room there is. */
  readonly width?: 'narrow' | 'normal' | 'wide';
  /** An http(s) address to redirect to immediately. */
  readonly refresh?: string;
  /** Without navigation, for a screen that only shows something. */
  readonly bare?: boolean;
  /** Without scripts, the page is loaded again after so many seconds. */
  readonly reloads?: number;
  /**
   * The page answers a form, but opening its address shows it as well, so Back and Reload need not send the form again.
   */
  readonly reopens?: boolean;
  /** What the page shows, if that was just created. */
  readonly made?: Made | undefined;
  /** The collection into which dropped files go. */
  readonly into?: { readonly uniqueId: string; readonly title: string } | undefined;
  readonly children: ComponentChildren;
}

/** The HTML document around a page. */
export function Page({
  site,
  title,
  meta = [],
  indexed = false,
  scripts = [],
  width = 'normal',
  bare = false,
  refresh,
  reloads,
  reopens,
  made,
  into,
  children,
}: Props) {
  const inside = site.viewer !== null && !bare;
  const takesFiles = inside && mayMake(site.viewer) && !scripts.some((name) => TAKES_FILES.includes(name));
  const entries = ['core', ...scripts, ...(takesFiles ? ['anywhere'] : [])];
  return (
    <html lang={site.i18n.language} data-theme={site.theme}>
      <head>
        <meta charset="utf-8" />
        <title>{title === site.branding.name ? title : `${title} · ${site.branding.name}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={site.theme === 'auto' ? 'light dark' : site.theme} />
        {refresh && <meta http-equiv="refresh" content={`0;url=${refresh}`} />}
        {reloads && (
          <noscript>
            <meta http-equiv="refresh" content={String(reloads)} />
          </noscript>
        )}
        {!indexed && <meta name="robots" content="noindex" />}
        {meta.map((item) =>
          'href' in item ? <link key={item.href} {...item} /> : <meta key={item.content} {...item} />,
        )}
        {/* The preview of an item may have a colour of its own. */}
        {!meta.some((item) => 'name' in item && item.name === 'theme-color') &&
          barColors(site.theme).map(({ scheme, color }) => (
            <meta
              key={color}
              name="theme-color"
              content={color}
              media={`(prefers-color-scheme: ${scheme})`}
            />
          ))}
        <BrandingIcons branding={site.branding} />
        <link rel="manifest" href={MANIFEST_PATH} />
        <link rel="stylesheet" href={site.assets.url('style')} />
        {site.branding.accent && <link rel="stylesheet" href={accentPath(site.branding.accent)} />}
        {/* Scripts run in this order: their texts are there before they speak. */}
        {entries
          .flatMap((name) => site.assets.textsUrl(name, site.i18n.language) ?? [])
          .concat(entries.map((name) => site.assets.url(name)))
          .map((src) => (
            <script key={src} type="module" src={src} />
          ))}
      </head>
      <body
        class={inside ? 'inside' : undefined}
        data-reopens={reopens}
        data-drop={takesFiles ? dropWords(into) : undefined}
        data-into={takesFiles ? into?.uniqueId : undefined}
        data-viewer={inside || undefined}
      >
        <a class="skip" href="#main">
          {t('Skip to content')}
        </a>
        {!bare && <TopBar site={site} />}
        {inside && <Sidebar site={site} />}
        <main id="main" class={width}>
          {!bare && <DemoBanner site={site} />}
          {!bare && <BrandingBanner branding={site.branding} />}
          {!bare && <SectionTabs site={site} />}
          {site.notice && (
            <div class={`notice ${site.notice.kind}`} role={site.notice.kind === 'done' ? 'status' : 'alert'}>
              <Icon name={site.notice.kind === 'done' ? 'check' : 'warning'} />
              <p>{site.notice.text}</p>
              {site.notice.created && made && (
                <span class="made">
                  <span>
                    <a href={made.link}>{bareUrl(made.link)}</a>
                    <Terms {...made} />
                  </span>
                  <CopyButton text={made.link} look="primary">
                    {t('Copy link')}
                  </CopyButton>
                </span>
              )}
              {site.notice.undo !== null && <Undo site={site} ids={site.notice.undo} />}
            </div>
          )}
          {children}
        </main>
        {!bare && (
          <footer class="foot">
            <BrandingLinks branding={site.branding} />
            {!inside && <Themes site={site} />}
          </footer>
        )}
        <div class="toasts" role="status" aria-live="polite" />
      </body>
    </html>
  );
}

/** Who can open what was just created, until when, and where that is changed. */
export const Terms = ({ requiresPassword, isPublic, expiresAt, change }: Omit<Made, 'link'>) => (
  <span class="hint">
    {requiresPassword ? t('Password-protected') : isPublic ? t('Anyone with the link') : t('Private')}
    {' · '}
    {expiresAt === null ? t('never expires') : rich('expires {time}', { time: <Time at={expiresAt} /> })}
    {' · '}
    <a href={change}>{t('Change')}</a>
  </span>
);

const dropWords = (into: Props['into']): string =>
  into === undefined ? t('Drop to upload') : t('Drop to add to “{title}”', { title: into.title });

/** The colour of the bar at the top, for the frame that a phone puts around the page. */
const barColors = (theme: Site['theme']) => [
  { scheme: 'light', color: theme === 'dark' ? DARK_BAR : LIGHT_BAR },
  { scheme: 'dark', color: theme === 'light' ? LIGHT_BAR : DARK_BAR },
];
const [LIGHT_BAR, DARK_BAR] = ['#ffffff', '#161b1a'];

/** The heading of a page, with actions for the whole page. */
export function Heading({
  title,
  lead,
  children,
}: {
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <header class="heading">
      <div>
        <h1 dir="auto">{title}</h1>
        {lead && (
          <p class="lead" dir="auto">
            {lead}
          </p>
        )}
      </div>
      {children && <div class="actions">{children}</div>}
    </header>
  );
}

/** Takes what was just deleted out of the trash. */
function Undo({ site, ids }: { readonly site: Site; readonly ids: string }) {
  return (
    <form method="post" action="/web/trash" class="undo">
      <input type="hidden" name="ids" value={ids} />
      <input type="hidden" name="next" value={site.address} />
      <button type="submit" class="button quiet" name="action" value="restore">
        {t('Undo')}
      </button>
    </form>
  );
}
