import type { ComponentChildren } from 'preact';

/** One column: its heading, and how a row fills it. */
export interface Column<T> {
  readonly head: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Numbers stand right, short values do not wrap, actions take no more room than they need. */
  readonly kind?: 'text' | 'short' | 'number' | 'action';
}

/** Rows of records. On a narrow screen each row becomes a block with the headings beside the values. */
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
