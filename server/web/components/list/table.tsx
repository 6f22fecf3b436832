import type { ComponentChildren } from 'preact';

/** A column: its heading, and how a row renders it. */
export interface Column<T> {
  readonly head: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Numbers are aligned right, short values do not wrap, actions take only the space they need. */
  readonly kind?: 'text' | 'short' | 'number' | 'action';
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
              {column.kind === 'action' ? <span class="unseen">{column.head}</span> : column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map((column) => (
              <td key={column.head} class={column.kind} data-head={column.head}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
