import type { ComponentChildren } from 'preact';
import { Icon } from '../components/icon.js';
import { Page, type Script } from '../components/page/page.js';
import type { Site } from '../site.js';

/** The frame of the pages for signing in, registering and verifying. */
export function AuthLayout({
  site,
  title,
  scripts = [],
  children,
}: {
  readonly site: Site;
  readonly title: string;
  readonly scripts?: readonly Script[];
  readonly children: ComponentChildren;
}) {
  return (
    <Page site={site} title={title} width="narrow" scripts={scripts}>
      <div class="gate-page">
        <Icon name="bag" />
        <h1>{title}</h1>
        {children}
      </div>
    </Page>
  );
}
