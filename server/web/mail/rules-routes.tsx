import type { Fields } from '../../../rest-adapter/fields.js';
import { mailRulesPath } from '../address.js';
import type { FormState } from '../components/form/form.js';
import { inEntry } from '../components/form/names.js';
import type { MailRule } from '../records.js';
import { again } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { MAX_RULES, MailRulesPage } from './rules-page.js';

/** What a mailbox of the viewer does with its mail. */
export const mailRulePages = [
  getPage('/mailboxes/{email}/rules', async (request) => page(await rules(request))),
  postForm('/mailboxes/{email}/rules', again(rules, change)),
];

async function rules({ site, call, params }: PageRequest, state?: FormState) {
  const email = params.email ?? '';
  const { rules: all } = await call.email.rules({ email });
  return <MailRulesPage site={site} email={email} rules={all} state={state} />;
}

async function change({ call, params, body }: PageRequest): Promise<PageAnswer> {
  const email = params.email ?? '';
  const sent = Array.from({ length: MAX_RULES }, (_, index) => ruleIn(body, index));
  await call.email.setRules({ email, rules: sent.filter((rule) => rule.do.length > 0) });
  return goTo(`${mailRulesPath(email)}?done=saved`);
}

function ruleIn(body: Fields, index: number): MailRule {
  const at = (name: string) => inEntry('rules', index, name);
  const [tag, forward] = [body.string(at('tag')).trim(), body.string(at('forward')).trim()];
  const chosen = (name: string) => body.boolean(at(name)) === true;
  return {
    when: {
      from: body.filled(at('when.from')),
      subject: body.filled(at('when.subject')),
      hasAttachment: chosen('when.hasAttachment') || undefined,
      codes: chosen('when.codes') || undefined,
    },
    do: [
      ...(chosen('read') ? (['read'] as const) : []),
      ...(tag === '' ? [] : [{ tag }]),
      ...(forward === '' ? [] : [{ forward }]),
      ...(chosen('webhook') ? [{ webhook: true as const }] : []),
      ...(chosen('delete') ? (['delete'] as const) : []),
    ],
  };
}
