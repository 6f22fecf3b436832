import { fail, unlessRemoved } from '../../../routers/base/errors.js';
import type { Kind } from '../../../routers/base/kinds.js';
import { t } from '../../../routers/base/language/i18n.js';
import { afterDeletion, withQuery } from '../address.js';
import { Submit } from '../components/button.js';
import { Form } from '../components/form/form.js';
import { Heading, Page } from '../components/page/page.js';
import { Card } from '../components/parts.js';
import { whetherRestorable } from '../format.js';
import { ITEM_PAGES } from '../items.js';
import type { PageProps } from '../page-props.js';
import { goTo, type PageAnswer, type PageRequest, page } from '../request.js';
import { allListed, allUntil, inSteps } from './all.js';

/** The ids that were ticked, or those of everything in the list. */
export async function chosenIn(request: PageRequest, kind: Kind): Promise<string[]> {
  const until = allUntil(request);
  if (until !== null) return allListed(request, kind, until);
  return request.body.every('ids').filter((id) => typeof id === 'string');
}

/** Does what the form below a list asks for with the items that were chosen in it; `list` is its address. */
export async function changeMany(
  request: PageRequest,
  kind: Kind,
  ids: readonly string[],
  list: string,
): Promise<PageAnswer> {
  const { call, body } = request;
  const action = body.text('action');
  const tag = body.string('tag').trim();
  if (action === 'tag' && tag === '') return goTo(withQuery(list, { done: 'nothing' }));
  if (action === 'delete') return deleteMany(request, kind, ids, list);
  if (action === 'tag') await inSteps(ids, (some) => call.library.changeMany({ kind, ids: some, tag }));
  else if (action === 'open' || action === 'private')
    await inSteps(ids, (some) => call.library.changeMany({ kind, ids: some, private: action === 'private' }));
  else fail('INVALID');
  return goTo(withQuery(list, { done: 'saved' }));
}

async function deleteMany(
  request: PageRequest,
  kind: Kind,
  ids: readonly string[],
  list: string,
): Promise<PageAnswer> {
  const { site, call, body, ctx } = request;
  const { trashDays } = ctx.app.settings;
  if (body.text('confirmed') === 'true') {
    await inSteps(ids, (some) => call.library.discardMany({ kind, ids: some }));
    return goTo(
      afterDeletion(list, trashDays, ids.length > MAX_UNDONE ? [] : ids.map((id) => `${kind}/${id}`)),
    );
  }
  const items = await Promise.all(
    ids.slice(0, MAX_NAMED).map(async (uniqueId) => ({
      name: (await unlessRemoved(call.library.deletable({ kind, uniqueId })))?.name ?? uniqueId,
      picture: await ITEM_PAGES[kind].picture(call, uniqueId),
    })),
  );
  const until = allUntil(request);
  return page(<DeleteManyPage {...{ site, ids, items, until, list, trashDays }} />);
}

/** So many come back from the trash with one click. */
const MAX_UNDONE = 100;
/** So many items are named before they are deleted. */
const MAX_NAMED = 12;

/** Asks for confirmation before several items are deleted, and shows which. */
function DeleteManyPage({
  site,
  ids,
  items,
  until,
  list,
  trashDays,
}: PageProps<{
  readonly ids: readonly string[];
  readonly items: readonly { readonly name: string; readonly picture: string | null }[];
  /** If they are all of a list: when it was shown. */
  readonly until: string | null;
  /** The path of the list with its current filter and page. */
  readonly list: string;
  readonly trashDays: number;
}>) {
  return (
    <Page site={site} title={t('Delete these items?')} width="narrow">
      <Heading
        title={t('Delete {items, plural, one {# item} other {# items}}?', { items: ids.length })}
        lead={`${ids.length === 1 ? t('Its links stop working immediately.') : t('Their links stop working immediately.')} ${whetherRestorable(trashDays)}`}
      />
      <Card>
        <ul class="rows">
          {items.map(({ name, picture }, index) => (
            <li key={index}>
              <span class="what with-thumb">
                {picture && (
                  <span class="thumb">
                    <img src={picture} alt="" />
                  </span>
                )}
                <span dir="auto">{name}</span>
              </span>
            </li>
          ))}
        </ul>
        {ids.length > items.length && (
          <p class="hint">{t('and {more, number} more', { more: ids.length - items.length })}</p>
        )}
      </Card>
      <Form action={list} files>
        {until === null ? (
          ids.map((id) => <input key={id} type="hidden" name="ids" value={id} />)
        ) : (
          <input type="hidden" name="all" value={until} />
        )}
        <input type="hidden" name="confirmed" value="true" />
        <div class="actions">
          <Submit look="danger" icon="trash" name="action" value="delete">
            {t('Delete')}
          </Submit>
          <a class="button quiet" href={list}>
            {ids.length === 1 ? t('Keep it') : t('Keep them')}
          </a>
        </div>
      </Form>
    </Page>
  );
}
