import type { ComponentChildren } from 'preact';
import { listPath } from '../../address.js';
import type { Paged } from '../../records.js';
import type { IconName } from '../icon.js';
import { Card, Empty } from '../parts.js';
import { Pager } from './pager.js';

/** A list and where it is: its path, and the filter that its pages keep. */
export interface ListPlace<T> {
  readonly path: string;
  readonly list: Paged<T>;
  readonly filter?: Readonly<Record<string, string>>;
  /** Shown instead of an empty list; without it nothing is. */
  readonly empty?: { readonly icon: IconName; readonly title: string };
}

/** A part of a longer list, with links to the other pages. The children are its rows. */
export function Listing<T>({
  path,
  list,
  filter = {},
  empty,
  children,
}: ListPlace<T> & { readonly children: ComponentChildren }) {
  return (
    <>
      {list.total === 0 && empty && <Empty {...empty} />}
      {list.items.length > 0 && <Card>{children}</Card>}
      <Pager list={list} href={(page) => listPath(path, { ...filter, page })} />
    </>
  );
}
