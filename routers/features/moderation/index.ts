import { z } from 'zod';
import { newTask, taskRecord } from '../../core/challenge.js';
import { admin, moderator, open, openCreator, quiet, router, signedIn } from '../../core/trpc.js';
import {
  block,
  blockInput,
  blockPage,
  blockRecord,
  blocksInput,
  blocksPage,
  unblock,
  unblockInput,
} from './blocks.js';
import { reportRecord } from './report-record.js';
import {
  ownReports,
  report,
  reportInput,
  reportPage,
  reportsInput,
  reportsOf,
  reportsPage,
  resolve,
  resolveInput,
} from './reports.js';

const nothing = z.object({});

/** Order in an open installation: reports, quarantine, blocks (contract §6, Order). */
export const moderationRouter = router({
  report: openCreator(null)
    .input(reportInput)
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => report(ctx, input))),

  /** A challenge for people without an account; 404 if this installation hands out none. */
  challenge: open(null)
    .output(taskRecord)
    .query(({ ctx }) => newTask(ctx.app)),

  /** The reports that the caller has sent. */
  mine: signedIn('account:read')
    .input(reportsInput)
    .output(ownReports)
    .query(({ ctx, input }) => reportsOf(ctx, input)),

  reports: moderator('admin:read')
    .input(reportsInput)
    .output(reportPage)
    .query(({ ctx, input }) => reportsPage(ctx, input)),

  resolve: moderator('admin:write')
    .input(resolveInput)
    .output(reportRecord)
    .mutation(({ ctx, input }) => resolve(ctx, input)),

  blocks: admin('admin:read')
    .input(blocksInput)
    .output(blockPage)
    .query(({ ctx, input }) => blocksPage(ctx, input)),

  block: admin('admin:write')
    .input(blockInput)
    .output(blockRecord)
    .mutation(({ ctx, input }) => block(ctx, input)),

  unblock: admin('admin:write')
    .input(unblockInput)
    .output(nothing)
    .mutation(quiet(({ ctx, input }) => unblock(ctx, input))),
});
