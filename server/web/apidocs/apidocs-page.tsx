import { t } from '../../../routers/base/language/i18n.js';
import type { Highlighted } from '../../../routers/base/ports/highlight.js';
import { LinkButton } from '../components/button.js';
import { Code } from '../components/item/code.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, CopyField } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import { rich } from '../rich.js';

/** A type in words, and the names of records, which are described below the operations. */
export type TypeView = readonly (string | { readonly record: string })[];

/** A parameter, or a field of a body, an answer or a record. */
export interface FieldView {
  readonly name: string;
  readonly type: TypeView;
  readonly required: boolean;
  readonly about: string | null;
}

/** An operation of the OpenAPI document, prepared for display. */
export interface OperationView {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string | null;
  readonly needsKey: boolean;
  readonly parameters: readonly (FieldView & { readonly place: string })[];
  readonly body: readonly FieldView[];
  readonly responses: readonly {
    readonly status: string;
    readonly about: string;
    /** What the answer has besides the envelope. */
    readonly fields: readonly FieldView[];
  }[];
}

/** The operations of one subject. */
export interface OperationGroup {
  readonly name: string;
  readonly operations: readonly OperationView[];
}

/** The API reference. */
export interface ApiReference {
  readonly groups: readonly OperationGroup[];
  /** The records that answers consist of. */
  readonly records: readonly { readonly name: string; readonly fields: readonly FieldView[] }[];
}

/** The API reference, made from the generated OpenAPI document; needs no script. */
export function ApiDocsPage({
  site,
  reference: { groups, records },
  example,
}: PageProps<{
  readonly reference: ApiReference;
  readonly example: Highlighted;
}>) {
  return (
    <Page site={site} title="API" indexed>
      <Heading title="API" lead={t('All operations of this service.')}>
        <LinkButton href="/v1/openapi.json" icon="download">
          {t('OpenAPI 3.1')}
        </LinkButton>
      </Heading>
      <CopyField label={t('Base URL')} value={`${site.origin}/v1`} />
      <p>
        {rich(
          'Send your API key in the header {code}. Every response except file content is JSON with {code2}, {code3}, {code4} and {code5}.',
          {
            code: <code>X-API-Key</code>,
            code2: <code>error</code>,
            code3: <code>timestamp</code>,
            code4: <code>uniqueId</code>,
            code5: <code>message</code>,
          },
        )}
      </p>
      <Code text={example} label={t('Example: upload with curl')} />
      <nav class="strip" aria-label={t('Sections')}>
        {groups.map((group) => (
          <a key={group.name} href={`#${group.name}`}>
            {group.name}
          </a>
        ))}
        <a href="#records">{t('records')}</a>
      </nav>
      {groups.map((group) => (
        <section key={group.name} class="subject" id={group.name} aria-labelledby={`about-${group.name}`}>
          <h2 id={`about-${group.name}`}>{group.name}</h2>
          {group.operations.map((operation) => (
            <Operation key={operation.id} operation={operation} />
          ))}
        </section>
      ))}
      <section class="subject" id="records" aria-labelledby="about-records">
        <h2 id="about-records">{t('records')}</h2>
        {records.map(({ name, fields }) => (
          <details key={name} class="operation" id={anchorOf(name)}>
            <summary>
              <code>{name}</code>
            </summary>
            <div class="inside-operation">
              <FieldList rows={fields} />
            </div>
          </details>
        ))}
      </section>
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
        {operation.needsKey && <Badge icon="key">{t('Requires an API key or a session')}</Badge>}
        {operation.parameters.length > 0 && (
          <Fields
            title={t('Parameters')}
            rows={operation.parameters.map((field) => ({ ...field, name: `${field.name} (${field.place})` }))}
          />
        )}
        {operation.body.length > 0 && <Fields title={t('Body')} rows={operation.body} />}
        <h3>{t('Responses')}</h3>
        <dl class="facts">
          {operation.responses.map((response) => (
            <div key={response.status}>
              <dt>{response.status}</dt>
              <dd>
                {response.about}
                {response.fields.length > 0 && <FieldList rows={response.fields} />}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </details>
  );
}

const anchorOf = (record: string): string => `record-${record.toLowerCase()}`;

function Fields({ title, rows }: { readonly title: string; readonly rows: readonly FieldView[] }) {
  return (
    <>
      <h3>{title}</h3>
      <FieldList rows={rows} />
    </>
  );
}

function FieldList({ rows }: { readonly rows: readonly FieldView[] }) {
  return (
    <dl class="facts">
      {rows.map((row) => (
        <div key={row.name}>
          <dt>
            <code>{row.name}</code>
          </dt>
          <dd>
            {row.type.map((part) =>
              typeof part === 'string' ? part : <a href={`#${anchorOf(part.record)}`}>{part.record}</a>,
            )}
            {row.required && t(', required')}
            {row.about && <span class="hint"> {row.about}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
