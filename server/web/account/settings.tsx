import type { ComponentChildren } from 'preact';
import { Heading, Page, type Script } from '../components/page/page.js';
import type { Site } from '../site.js';

/** A page of the settings: forms in one column. */
export function Settings({
  site,
  title,
  lead,
  scripts = [],
  children,
}: {
  readonly site: Site;
  readonly title: string;
  readonly lead?: string;
  readonly scripts?: readonly Script[];
  readonly children: ComponentChildren;
}) {
  return (
    <Page site={site} title={title} scripts={scripts}>
      <Heading title={title} lead={lead} />
      {children}
    </Page>
  );
}
