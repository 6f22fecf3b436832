import { fail } from '../../../routers/errors.js';
import type { FormState } from '../components/form.js';
import { orShowAgain } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { RecoveryPage, SetUpPage, TwoStepPage } from '../views/two-step.js';
import { requireViewer } from './listing.js';

const path = '/settings/security/two-step';

/** A second factor: set up in two forms, and taken away. */
export const twoStepPages = [
  getPage(path, async (request) => page(await twoStep(request))),
  postForm(path, (request) =>
    request.body.text('action') === 'confirm' ? confirm(request) : change(request),
  ),
];

async function twoStep(request: PageRequest, state?: FormState) {
  requireViewer(request);
  return <TwoStepPage site={request.site} factor={await request.call.auth.secondFactor()} state={state} />;
}

function change(request: PageRequest): Promise<PageAnswer> {
  const { site, call, body } = request;
  const proof = { password: body.string('password'), code: body.string('code') };
  return orShowAgain(
    body,
    async () => {
      const action = body.text('action');
      if (action === 'off') {
        await call.auth.disableSecondFactor(proof);
        return goTo(`/web${path}?done=saved`);
      }
      if (action === 'recovery') {
        const { recoveryCodes } = await call.auth.renewRecoveryCodes(proof);
        return page(<RecoveryPage site={site} codes={recoveryCodes} />);
      }
      const { uri } = await call.auth.beginSecondFactor(proof);
      return page(<SetUpPage site={site} uri={uri} />);
    },
    (state) => twoStep(request, state),
  );
}

/** A wrong code leaves the same secret to be tried again; the form has brought it along to be shown. */
function confirm({ site, call, body }: PageRequest): Promise<PageAnswer> {
  return orShowAgain(
    body,
    async () => {
      const { recoveryCodes } = await call.auth.enableSecondFactor({ code: body.string('code') });
      return page(<RecoveryPage site={site} codes={recoveryCodes} />);
    },
    (state) => <SetUpPage site={site} uri={broughtAlong(body.string('uri'))} state={state} />,
  );
}

/** Longer than any that is made here, and short enough for a picture. */
const MAX_URI = 1_000;

/** The address that the form had from us; whoever sends another one is shown none. */
function broughtAlong(uri: string): string {
  if (!uri.startsWith('otpauth://') || uri.length > MAX_URI) fail('INVALID');
  return uri;
}
