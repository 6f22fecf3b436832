/**
 * How our scripts for Node are bundled, for the program and its tests: one output per entry point, shared code in
 * `shared`, npm packages left external (docs/adr/0008).
 */
export const bundleOptions = {
  outbase: '.',
  chunkNames: 'shared/[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
};
