/** The products from which people can move, by the name that the command knows. */
export const PRODUCT_NAMES = [
  'folder',
  'zipline',
  'chibisafe',
  'shlink',
  'yourls',
  'kutt',
  'pingvin',
  'xbackbone',
  'picsur',
  'slink',
  'opengist',
  'privatebin',
] as const;
