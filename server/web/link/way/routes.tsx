import type { Fields } from '../../../../rest-adapter/fields.js';
import { wayPath } from '../../address.js';
import type { FormState } from '../../components/form/form.js';
import { inEntry } from '../../components/form/names.js';
import { again } from '../../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../../request.js';
import { MOST } from './form.js';
import { WayPage } from './page.js';
import { triedIn } from './try.js';

/** The page with the rules and parts of a link of the viewer. */
export const wayPages = [
  getPage('/links/{link}/rules', async (request) => page(await way(request))),
  postForm('/links/{link}/rules', again(way, change)),
];

async function way({ site, call, params, query }: PageRequest, state?: FormState) {
  const link = await call.url.own({ uniqueId: params.link ?? '' });
  return <WayPage site={site} link={link} tried={triedIn(query)} state={state} />;
}

async function change({ call, params, body }: PageRequest): Promise<PageAnswer> {
  const { fullId } = await call.url.change({
    uniqueId: params.link ?? '',
    rules: rulesIn(body) as never,
    split: partsIn(body),
  });
  return goTo(`${wayPath(fullId)}?done=saved`);
}

const indexes = (most: number) => Array.from({ length: most }, (_, index) => index);

/** The rules in their new order; a new one without anything in it is none. */
function rulesIn(body: Fields) {
  const rules: object[] = [];
  for (const index of indexes(MOST.rules)) {
    const at = (name: string) => inEntry('rules', index, name);
    if (body.raw(at('url')) === undefined) break;
    const query = body.string(at('when.query')).replace(/^\?/, '');
    const when = Object.entries({
      device: body.every(at('when.device')).filter(Boolean),
      country: body.list(at('when.country')) ?? [],
      language: body.list(at('when.language')) ?? [],
      from: body.filled(at('when.from')),
      to: body.filled(at('when.to')),
      query: query === '' ? undefined : Object.fromEntries(new URLSearchParams(query)),
      bot: body.boolean(at('when.bot')),
    }).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0));
    const url = body.string(at('url')).trim();
    const move = body.string(at('move'));
    if (move === 'drop' || (url === '' && when.length === 0)) continue;
    const rule = { when: Object.fromEntries(when), url };
    if (move === 'up') rules.splice(-1, 0, rule);
    else rules.push(rule);
  }
  return rules;
}

const partsIn = (body: Fields) =>
  indexes(MOST.split)
    .map((index) => ({
      url: body.string(inEntry('split', index, 'url')).trim(),
      weight: body.number(inEntry('split', index, 'weight')) ?? 1,
    }))
    .filter(({ url }) => url !== '');
