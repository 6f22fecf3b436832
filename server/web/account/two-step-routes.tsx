import { fail } from '../../../routers/base/errors.js';
import type { FormState } from '../components/form/form.js';
import { orShowAgain } from '../refusal.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { requireViewer } from '../viewer.js';
import { RecoveryPage, SetUpPage, TwoStepPage } from './two-step-pages.js';

const PATH = '/settings/security/two-step';

/** Two-step sign-in: set up in two forms, and disabled. */
export const twoStepPages = [
  getPage(PATH, async (request) => page(await twoStep(request))),
  postForm(PATH, (request) =>
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
    { site, body },
    async () => {
      const action = body.text('action');
      if (action === 'off') {
        await call.auth.disableSecondFactor(proof);
        return goTo(`/web${PATH}?done=saved`);
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

/** After a wrong code the user can retry with the same secret; the form contains it so that it can be shown. */
function confirm({ site, call, body }: PageRequest): Promise<PageAnswer> {
  return orShowAgain(
    { site, body },
    async () => {
      const { recoveryCodes } = await call.auth.enableSecondFactor({ code: body.string('code') });
      return page(<RecoveryPage site={site} codes={recoveryCodes} />);
    },
    (state) => <SetUpPage site={site} uri={broughtAlong(body.string('uri'))} state={state} />,
  );
}

/** Longer than any URI we create, and short enough for a QR code. */
const MAX_URI = 1_000;

/** The otpauth URI that our form sent back; anything else is refused. */
function broughtAlong(uri: string): string {
  if (!uri.startsWith('otpauth://') || uri.length > MAX_URI) fail('INVALID');
  return uri;
}
