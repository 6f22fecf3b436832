import { Heading, Page } from '../components/page/page.js';
import { Card } from '../components/parts.js';
import { Prose } from '../components/prose.js';
import type { PageProps } from '../page-props.js';

/** A policy of the operator; as it was written if it could not be rendered. */
export function PolicyPage({
  site,
  title,
  text,
  html,
}: PageProps<{ readonly title: string; readonly text: string; readonly html: string | null }>) {
  return (
    <Page site={site} title={title} indexed>
      <Heading title={title} />
      <Card>
        {html === null ? (
          <pre class="as-written" dir="auto">
            {text}
          </pre>
        ) : (
          <Prose html={html} />
        )}
      </Card>
    </Page>
  );
}
