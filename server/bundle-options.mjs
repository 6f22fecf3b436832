/**
 * How scripts for Node are made of ours, for the program and for its tests: entry by entry, with what several share in
 * `shared`, packages left where npm puts them (docs/adr/0008).
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
