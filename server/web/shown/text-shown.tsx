import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { withQuery } from '../address.js';
import { Icon } from '../components/icon.js';
import { Code, isReordered } from '../components/item/code.js';
import { Card } from '../components/parts.js';
import { Prose } from '../components/prose.js';
import { type Json, MAX_ROWS, type ShownText, type TextShown } from './text-file.js';

/** A text in its form, with a way to the other one. `path` is the address of the page without `view`. */
export function ShownTextOf({
  text: { shown, hasForms },
  label,
  path,
  part,
}: {
  readonly text: TextShown;
  readonly label: string;
  readonly path: string;
  readonly part?: string | undefined;
}) {
  return (
    <>
      {hasForms && <Forms shown={shown} path={path} />}
      <Body shown={shown} label={label} part={part} />
    </>
  );
}

/** What the form besides the source is called. */
const FORMS: Readonly<Record<Exclude<ShownText['as'], 'source'>, Message>> = {
  rendered: msg('Rendered'),
  diagram: msg('Diagram'),
  table: msg('Table'),
  tree: msg('Tree'),
};

function Forms({ shown, path }: { readonly shown: ShownText; readonly path: string }) {
  const isSource = shown.as === 'source';
  return (
    <nav class="forms" aria-label={t('Form of the text')}>
      <a href={withQuery(path, { view: 'readable' })} aria-current={isSource ? undefined : 'page'}>
        {shown.as === 'source' ? t('Readable') : translateMessage(FORMS[shown.as])}
      </a>
      <a href={withQuery(path, { view: 'source' })} aria-current={isSource ? 'page' : undefined}>
        {t('Source')}
      </a>
    </nav>
  );
}

function Body({
  shown,
  label,
  part,
}: {
  readonly shown: ShownText;
  readonly label: string;
  readonly part: string | undefined;
}) {
  if (shown.as === 'rendered') {
    return (
      <Card>
        <Prose html={shown.html} />
      </Card>
    );
  }
  if (shown.as === 'diagram') {
    return (
      <Card>
        <div class="prose">
          <pre>
            <code class="language-mermaid">{shown.text}</code>
          </pre>
        </div>
      </Card>
    );
  }
  if (shown.as === 'table') return <CsvTable {...shown} label={label} />;
  if (shown.as === 'tree') {
    return (
      <Card>
        <div class="json" dir="ltr">
          <Value value={shown.value} />
        </div>
      </Card>
    );
  }
  return (
    <>
      {isReordered(shown.text) && (
        <p class="notice">
          <Icon name="warning" />
          {t(
            'This text contains characters that make it look different from what a program reads. They are marked.',
          )}
        </p>
      )}
      <div class="source">
        <Code text={shown.text} label={label} part={part} />
        <button
          type="button"
          class="button plain scripted"
          data-wrap
          aria-pressed="false"
          aria-label={t('Wrap lines')}
          title={t('Wrap lines')}
        >
          <Icon name="wrap" />
        </button>
      </div>
    </>
  );
}

function CsvTable({
  rows: [head = [], ...rows],
  cut,
  label,
}: {
  readonly rows: readonly (readonly string[])[];
  readonly cut: boolean;
  readonly label: string;
}) {
  return (
    <>
      {cut && (
        <p class="hint">
          {t('The first {maxRows, plural, one {# row} other {# rows}}. The source has all of them.', {
            maxRows: MAX_ROWS,
          })}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <section class="sheet-of-cells" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {head.map((cell, index) => (
                <th key={index} scope="col" dir="auto">
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              <tr key={row}>
                {cells.map((cell, index) => (
                  <td key={index} dir="auto" class={/^-?[\d.,\s]+%?$/.test(cell) ? 'number' : undefined}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** A value; what is nested can be closed. */
function Value({
  value,
  name,
  open = true,
}: {
  readonly value: Json;
  readonly name?: string;
  readonly open?: boolean;
}) {
  const label = name === undefined ? null : <span class="name">{name}: </span>;
  if (typeof value !== 'object' || value === null) {
    const kind = typeof value === 'string' ? 'hljs-string' : 'hljs-number';
    return (
      <span>
        {label}
        <span class={kind} dir="auto">
          {JSON.stringify(value)}
        </span>
      </span>
    );
  }
  const parts = Object.entries(value);
  const signs = Array.isArray(value) ? '[]' : '{}';
  if (parts.length === 0) {
    return (
      <span>
        {label}
        {signs}
      </span>
    );
  }
  return (
    <details open={open}>
      <summary>
        {label}
        <span class="hint">
          {signs[0]}
          {parts.length}
          {signs[1]}
        </span>
      </summary>
      <ul>
        {parts.map(([key, part]) => (
          <li key={key}>
            <Value value={part} name={key} open={parts.length <= 20} />
          </li>
        ))}
      </ul>
    </details>
  );
}
