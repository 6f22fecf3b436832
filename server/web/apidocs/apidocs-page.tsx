import type { Highlighted } from '../../../routers/ports/highlight.js';
import { LinkButton } from '../components/button.js';
import { Code } from '../components/item/code.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, CopyField } from '../components/parts.js';
import type { PageProps } from '../page-props.js';

/** An operation of the OpenAPI document, prepared for display. */
export interface OperationView {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string | null;
  readonly needsKey: boolean;
  readonly parameters: readonly {
    readonly name: string;
    readonly place: string;
    readonly type: string;
    readonly required: boolean;
    readonly about: string | null;
  }[];
  readonly body: readonly {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly about: string | null;
  }[];
  readonly responses: readonly { readonly status: string; readonly about: string }[];
}

/** The operations of one subject. */
export interface OperationGroup {
  readonly name: string;
  readonly operations: readonly OperationView[];
}

/** The API reference, made from the generated OpenAPI document; needs no script. */
export function ApiDocsPage({
  site,
  groups,
  example,
}: PageProps<{
  readonly groups: readonly OperationGroup[];
  readonly example: Highlighted;
}>) {
  return (
    <Page site={site} title="API" shell="content" indexed>
      <Heading title="API" lead="All operations of this service.">
        <LinkButton href="/v1/openapi.json" icon="download">
          OpenAPI 3.1
        </LinkButton>
      </Heading>
      <CopyField label="Base URL" value={`${site.origin}/v1`} />
      <p>
        Send your API key in the header <code>X-API-Key</code>. Every response except file content is JSON
        with <code>error</code>, <code>timestamp</code>, <code>uniqueId</code> and <code>message</code>.
      </p>
      <Code text={example} label="Example: upload with curl" />
      <nav class="strip" aria-label="Sections">
        {groups.map((group) => (
          <a key={group.name} href={`#${group.name}`}>
            {group.name}
          </a>
        ))}
      </nav>
      {groups.map((group) => (
        <section key={group.name} class="subject" id={group.name} aria-labelledby={`about-${group.name}`}>
          <h2 id={`about-${group.name}`}>{group.name}</h2>
          {group.operations.map((operation) => (
            <Operation key={operation.id} operation={operation} />
          ))}
        </section>
      ))}
    </Page>
  );
}

function Operation({ operation }: { readonly operation: OperationView }) {
  return (
    <details class="operation" id={operation.id}>
      <summary>
        <span class={`method ${operation.method.toLowerCase()}`}>{operation.method}</span>
        <code>{operation.path}</code>
        {operation.summary && <span class="hint">{operation.summary}</span>}
      </summary>
      <div class="inside-operation">
        {operation.needsKey && <Badge icon="key">Requires an API key or a session</Badge>}
        {operation.parameters.length > 0 && (
          <Fields
            title="Parameters"
            rows={operation.parameters.map((field) => ({ ...field, name: `${field.name} (${field.place})` }))}
          />
        )}
        {operation.body.length > 0 && <Fields title="Body" rows={operation.body} />}
        <h3>Responses</h3>
        <dl class="facts">
          {operation.responses.map((response) => (
            <div key={response.status}>
              <dt>{response.status}</dt>
              <dd>{response.about}</dd>
            </div>
          ))}
        </dl>
      </div>
    </details>
  );
}

function Fields({
  title,
  rows,
}: {
  readonly title: string;
  readonly rows: readonly {
    readonly name: string;
    readonly type: string;
    readonly required: boolean;
    readonly about: string | null;
  }[];
}) {
  return (
    <>
      <h3>{title}</h3>
      <dl class="facts">
        {rows.map((row) => (
          <div key={row.name}>
            <dt>
              <code>{row.name}</code>
            </dt>
            <dd>
              {row.type}
              {row.required && ', required'}
              {row.about && <span class="hint"> {row.about}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
