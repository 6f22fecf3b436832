/** The doors that exist, as `SPEAKS` names them. */
export const DOOR_NAMES = ['picgo', 'yourls'] as const;

/** The name of a door. */
export type DoorName = (typeof DOOR_NAMES)[number];
