import type { Sharp, SharpOptions } from 'sharp';

/** Opens what libvips reads, within the limits. */
export type Open = (input: string | Buffer, options?: SharpOptions) => Sharp;
