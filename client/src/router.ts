/** The only place where the client imports server types; it imports no server code. */
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '../../routers/index.js';

export type { AppRouter };

/** The input of each procedure, as `Inputs['url']['create']`. */
export type Inputs = inferRouterInputs<AppRouter>;
/** The output of each procedure, as `Outputs['url']['create']`. */
export type Outputs = inferRouterOutputs<AppRouter>;

/** An image, video or other file. */
export type ImageRecord = Outputs['image']['upload'];
/** A text paste. */
export type PasteRecord = Outputs['paste']['create'];
/** A short link. */
export type ShortUrlRecord = Outputs['url']['create'];
