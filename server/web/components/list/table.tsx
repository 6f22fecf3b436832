import type { ComponentChildren } from 'preact';
import { translateMessage } from '../../../../routers/base/language/i18n.js';
import type { Message } from '../../../../routers/base/language/message.js';

/** A column: its heading, and how a row renders it. */
export interface Column<T> {
  readonly head: Message;
  readonly cell: (row: T) => ComponentChildren;
  /**
   * Numbers are aligned right, short values (ids, dates, roles) never wrap, long ones end in an ellipsis and take what
   * space is left, actions and boxes to tick take only what they need; what opens a form has room for it from the start.
   */
  readonly kind?: 'text' | 'short' | 'number' | 'long' | 'action' | 'pick' | 'opens';
  /** The whole of a long value. */
  readonly title?: (row: T) => string | null;
}

/** Rows of records. On a narrow screen each row becomes a block with headings next to the values. */
export function Table<T>({
  caption,
  columns,
  rows,
  rowKey,
}: {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string | number;
}) {
  return (
    <table class="table">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.head} scope="col" class={column.kind}>
              {column.kind === 'action' || column.kind === 'pick' ? (
                <span class="unseen">{translateMessage(column.head)}</span>
              ) : (
                translateMessage(column.head)
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map((column) => (
              <td
                key={column.head}
                class={column.kind}
                data-head={translateMessage(column.head)}
                title={column.title?.(row) ?? undefined}
              >
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
