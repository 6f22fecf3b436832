/** Every packet begins with this byte. */
const SYNC = 0x47;

/** Bytes from one packet to the next, and before the first one: plain, and as on Blu-ray discs. */
const LAYOUTS = [
  { packet: 188, before: 0 },
  { packet: 192, before: 4 },
];

/** Minimum number of packets: a single matching byte is found in too much other data. */
const MIN_PACKETS = 4;
/** Number of packets checked; a recording may be damaged after them. */
const ENOUGH = 8;

/** Whether these are the first bytes of an MPEG transport stream: its first packets start with the sync byte. */
export const isTransportStream = (head: Buffer): boolean =>
  LAYOUTS.some(({ packet, before }) => {
    let packets = 0;
    for (let at = before; at < head.length && packets < ENOUGH; at += packet) {
      if (head[at] !== SYNC) return false;
      packets += 1;
    }
    return packets >= MIN_PACKETS;
  });
