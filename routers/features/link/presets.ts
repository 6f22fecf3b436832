import { z } from 'zod';
import { signedIn } from '../../core/trpc.js';
import {
  dropPreset,
  getPreset,
  listPresets,
  presetInput,
  presetName,
  presetRecord,
  putPreset,
} from './utm.js';

/** The presets of an account, whose fields are added to targets. */
export const presetProcedures = {
  /** The presets of the caller, whose fields are added to targets. */
  presets: signedIn('urls:read')
    .output(z.object({ presets: z.array(presetRecord) }))
    .query(async ({ ctx }) => ({ presets: await listPresets(ctx) })),

  preset: signedIn('urls:read')
    .input(z.object({ name: presetName }))
    .output(presetRecord)
    .query(({ ctx, input }) => getPreset(ctx, input.name)),

  putPreset: signedIn('urls:write')
    .input(presetInput)
    .output(presetRecord)
    .mutation(({ ctx, input }) => putPreset(ctx, input)),

  deletePreset: signedIn('urls:write')
    .input(z.object({ name: presetName }))
    .output(z.object({ name: z.string() }))
    .mutation(async ({ ctx, input }) => {
      await dropPreset(ctx, input.name);
      return { name: input.name };
    }),
};
