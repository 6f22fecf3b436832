import type { ComponentChildren } from 'preact';
import { t, tc } from '../../../../routers/base/language/i18n.js';
import { count } from '../../format.js';
import type { Paged } from '../../records.js';
import { Submit } from '../button.js';

/** A list of more cannot be chosen as a whole. */
export const MOST = 10_000;

/** The id of the form, to which the boxes of a list belong. */
const BULK = 'bulk';

/** Selects all boxes of a list; needs its script. */
export const SelectAll = () => (
  <button type="button" class="button quiet scripted" data-select-all>
    {t('Select all')}
  </button>
);

/** The box of one row or tile. */
export const Pick = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <input type="checkbox" name="ids" value={id} aria-label={t('Select {name}', { name })} form={BULK} />
);

/** Actions for the selected items of a list; the children are those that only some lists have. */
export function Bulk({
  action,
  list,
  children,
}: {
  readonly action: string;
  readonly list: Paged<unknown>;
  readonly children?: ComponentChildren;
}) {
  const total = count(list.total);
  return (
    <form
      id={BULK}
      class="bulk"
      method="post"
      action={action}
      enctype="multipart/form-data"
      data-bulk
      aria-label={t('Selected items')}
    >
      <span class="count" data-count={t('{n} selected', { n: '{n}' })} role="status">
        {t('Selected items')}
      </span>
      {list.total > list.items.length && list.total <= MOST && !list.isCapped && (
        <label class="check">
          {/* The form says when the list was shown: what came later is not meant. */}
          <input type="checkbox" name="all" value={Date.now()} data-total={total} autocomplete="off" />
          {t('Select all {total}', { total })}
        </label>
      )}
      <div class="acts">
        {/* First, because Enter in its field presses the first button. */}
        <span class="group">
          <input
            name="tag"
            maxLength={40}
            placeholder={t('Tag')}
            aria-label={t('Tag to add')}
            autocomplete="off"
          />
          <Submit look="plain" icon="tag" name="action" value="tag">
            {tc('verb', 'Tag')}
          </Submit>
        </span>
        <Submit look="plain" icon="globe" name="action" value="open">
          {t('Make public')}
        </Submit>
        <Submit look="plain" icon="lock" name="action" value="private">
          {t('Make private')}
        </Submit>
        {children}
        <Submit look="danger" icon="trash" name="action" value="delete">
          {t('Delete')}
        </Submit>
      </div>
    </form>
  );
}
