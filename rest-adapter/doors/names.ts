/** The doors that exist, as `SPEAKS` names them. */
export const DOOR_NAMES = [
  'lsky',
  'yourls',
  'curl',
  'imgur',
  'chevereto',
  'picgo',
  'mailpit',
  'shlink',
  'mcp',
] as const;

/** The name of a door. */
export type DoorName = (typeof DOOR_NAMES)[number];
