import type { ComponentChildren } from 'preact';
import type { Meta } from '../../preview.js';
import type { Site } from '../../site.js';
import { Icon } from '../icon.js';
import { Sidebar, TopBar } from './nav.js';

/** Scripts that a page may need besides the core script of every page. */
export type Script = 'upload' | 'library' | 'embed' | 'live';

interface Props {
  readonly site: Site;
  readonly title: string;
  /** Metadata for link previews. */
  readonly meta?: readonly Meta[];
  /** Whether search engines may list the page; shared items are found by their link only. */
  readonly indexed?: boolean;
  readonly scripts?: readonly Script[];
  /** `content`: what anyone sees who opens a link. `app`: a page for signed-in users, with the sidebar. */
  readonly shell?: 'content' | 'app';
  readonly width?: 'narrow' | 'normal' | 'wide';
  /** An http(s) address to redirect to immediately. */
  readonly refresh?: string;
  /**
   * The page answers a form, but opening its address shows it as well, so Back and Reload need not send the form again.
   */
  readonly reopens?: boolean;
  readonly children: ComponentChildren;
}

/** The HTML document around a page. */
export function Page({
  site,
  title,
  meta = [],
  indexed = false,
  scripts = [],
  shell = 'app',
  width = 'normal',
  refresh,
  reopens,
  children,
}: Props) {
  const inside = shell === 'app' && site.viewer !== null;
  return (
    <html lang="en" data-theme={site.theme}>
      <head>
        <meta charset="utf-8" />
        <title>{title === 'Holdall' ? title : `${title} · Holdall`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={site.theme === 'auto' ? 'light dark' : site.theme} />
        {refresh && <meta http-equiv="refresh" content={`0;url=${refresh}`} />}
        {!indexed && <meta name="robots" content="noindex" />}
        {meta.map((item) =>
          'href' in item ? <link key={item.href} {...item} /> : <meta key={item.content} {...item} />,
        )}
        <link rel="icon" href="/favicon.ico" sizes="48x48" />
        <link rel="icon" href="/web/assets/icon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="stylesheet" href={site.assets.url('style')} />
        {['core', ...scripts].map((name) => (
          <script key={name} type="module" src={site.assets.url(name)} />
        ))}
      </head>
      <body class={inside ? 'inside' : undefined} data-reopens={reopens}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <TopBar site={site} />
        {inside && <Sidebar site={site} />}
        <main id="main" class={width}>
          {site.notice && (
            <p class={`notice ${site.notice.kind}`} role={site.notice.kind === 'done' ? 'status' : 'alert'}>
              <Icon name={site.notice.kind === 'done' ? 'check' : 'warning'} />
              {site.notice.text}
            </p>
          )}
          {children}
        </main>
        <Foot site={site} />
        <div class="toasts" role="status" aria-live="polite" />
      </body>
    </html>
  );
}

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

/**
 * Scripts change the theme in place. Without scripts the form leads back to the page. The answer to a form cannot be
 * returned to, so there the form opens the start page in a new tab.
 */
function Foot({ site }: { readonly site: Site }) {
  return (
    <footer class="foot">
      <a href="/web/apidocs">API</a>
      <form
        method="post"
        action="/web/theme"
        class="themes"
        aria-label="Theme"
        target={site.answersForm ? '_blank' : undefined}
        data-themes
      >
        <input type="hidden" name="next" value={site.answersForm ? '/' : site.address} />
        {(['auto', 'light', 'dark'] as const).map((theme) => (
          <button type="submit" key={theme} name="theme" value={theme} aria-pressed={site.theme === theme}>
            {theme === 'auto' ? 'System' : theme === 'light' ? 'Light' : 'Dark'}
          </button>
        ))}
      </form>
    </footer>
  );
}
