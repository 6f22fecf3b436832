import { z } from 'zod';
import { creator, open, quiet, signedIn } from '../../core/trpc.js';
import {
  agreeToForward,
  codeInput,
  forwardInput,
  forwardRecord,
  forwardRequest,
  readForward,
  requestRecord,
  setForward,
} from './forward.js';
import { byAddress } from './mailboxes.js';
import { readRules, rulesInput, rulesRecord, setRules } from './rules.js';
import { credentialsRecord, endCredentials, makeCredentials } from './sandbox.js';

/** What becomes of the mail of a mailbox: where it is sent on, what its rules do, and the mail of tests. */
export const handlingProcedures = {
  forward: signedIn('mail:read')
    .input(byAddress)
    .output(forwardRecord)
    .query(({ ctx, input }) => readForward(ctx, input.email)),

  setForward: creator('mail:write')
    .input(forwardInput)
    .output(forwardRecord)
    .mutation(({ ctx, input }) => setForward(ctx, input)),

  /** Makes a mailbox a test inbox: mail sent with the answer, to anybody, is kept in it. */
  makeCredentials: creator('mail:write')
    .input(byAddress)
    .output(credentialsRecord)
    .mutation(({ ctx, input }) => makeCredentials(ctx, input.email)),

  endCredentials: signedIn('mail:write')
    .input(byAddress)
    .output(z.object({}))
    .mutation(quiet(({ ctx, input }) => endCredentials(ctx, input.email))),

  rules: signedIn('mail:read')
    .input(byAddress)
    .output(rulesRecord)
    .query(({ ctx, input }) => readRules(ctx, input.email)),

  setRules: signedIn('mail:write')
    .input(rulesInput)
    .output(rulesRecord)
    .mutation(({ ctx, input }) => setRules(ctx, input)),

  /** What a mailed link would start. */
  forwardRequest: open(null)
    .input(codeInput)
    .output(requestRecord)
    .query(({ ctx, input }) => forwardRequest(ctx, input)),

  agreeToForward: open(null)
    .input(codeInput)
    .output(requestRecord)
    .mutation(({ ctx, input }) => agreeToForward(ctx, input)),
};
