import type { ComponentChildren } from 'preact';
import type { Meta } from '../preview.js';
import type { Site } from '../site.js';
import { Icon } from './icon.js';
import { Sidebar, TopBar } from './nav.js';

/** Scripts a page may ask for besides the core that every page loads. */
export type Script = 'upload' | 'library' | 'embed' | 'live';

interface PageProps {
  readonly site: Site;
  readonly title: string;
  /** What unfurlers read. */
  readonly meta?: readonly Meta[];
  /** Whether search engines may list the page; what people hand around is found by its link alone. */
  readonly indexed?: boolean;
  readonly scripts?: readonly Script[];
  /** `content`: what a link shows, to anybody. `app`: a place of the signed-in, with the sidebar. */
  readonly shell?: 'content' | 'app';
  readonly width?: 'narrow' | 'normal' | 'wide';
  /** An address (http or https) to go on to at once. */
  readonly refresh?: string;
  /** Answers a form, but looking at its address leads here as well: Back and Reload need not send the form again. */
  readonly reopens?: boolean;
  readonly children: ComponentChildren;
}

/** The whole document around a page. */
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
}: PageProps) {
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
        <link rel="icon" href="/web/assets/icon.svg" type="image/svg+xml" />
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

/** The heading of a page, with what can be done to the whole of it. */
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
 * Scripts change the colours in place. Without them one comes back to the page; an answer to a form could not be
 * come back to, so it stays where it is and the start opens beside it.
 */
function Foot({ site }: { readonly site: Site }) {
  return (
    <footer class="foot">
      <a href="/web/apidocs">API</a>
      <form
        method="post"
        action="/web/theme"
        class="themes"
        aria-label="Colours"
        target={site.answersForm ? '_blank' : undefined}
        data-themes
      >
        <input type="hidden" name="next" value={site.answersForm ? '/' : site.address} />
        {(['auto', 'light', 'dark'] as const).map((theme) => (
          <button type="submit" key={theme} name="theme" value={theme} aria-pressed={site.theme === theme}>
            {theme === 'auto' ? 'As the system' : theme === 'light' ? 'Light' : 'Dark'}
          </button>
        ))}
      </form>
    </footer>
  );
}
