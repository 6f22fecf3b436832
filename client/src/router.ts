/** The one door to the server's types; nothing of the server's code passes through it. */
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../../routers/index.js';

export type { AppRouter };

/** What each procedure takes, as `Inputs['url']['create']`. */
export type Inputs = inferRouterInputs<AppRouter>;
/** What each procedure answers, as `Outputs['url']['create']`. */
export type Outputs = inferRouterOutputs<AppRouter>;

/** An image, video or other file. */
export type ImageRecord = Outputs['image']['upload'];
/** A text paste. */
export type PasteRecord = Outputs['paste']['create'];
/** A short link. */
export type ShortUrlRecord = Outputs['url']['create'];
