import { unlessRemoved } from '../../../../routers/base/errors.js';
import type { FormState } from '../../components/form/form.js';
import { again } from '../../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../../request.js';
import { PRESETS_PATH, PresetsPage, UTM } from './presets-page.js';

/** The campaign parameters of an account. */
export const presetPages = [
  getPage('/settings/campaigns', async (request) => page(await presets(request))),
  postForm('/settings/campaigns', again(presets, change)),
];

async function presets({ site, call, query }: PageRequest, state?: FormState) {
  const { presets: all } = await call.url.presets();
  const edited = all.find(({ name }) => name === query.text('edit')) ?? null;
  return <PresetsPage site={site} presets={all} edited={edited} state={state} />;
}

async function change({ call, body }: PageRequest): Promise<PageAnswer> {
  const name = body.string('name');
  if (body.text('action') === 'remove') {
    // After a second click it is already gone, as wanted.
    await unlessRemoved(call.url.deletePreset({ name }));
    return goTo(`${PRESETS_PATH}?done=deleted`);
  }
  await call.url.putPreset({
    name,
    ...Object.fromEntries(UTM.map((field) => [field, body.string(field)])),
  });
  return goTo(`${PRESETS_PATH}?done=saved`);
}
