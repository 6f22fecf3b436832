/** Every packet begins with this byte. */
const SYNC = 0x47;

/** Bytes from one packet to the next and those before its first byte: plain, and as on Blu-ray discs. */
const LAYOUTS = [
  { packet: 188, before: 0 },
  { packet: 192, before: 4 },
];

/** Packets without which there is no telling: one byte is at the right place in too much other data. */
const FEWEST = 4;
/** Packets that tell; a recording may be damaged behind them. */
const ENOUGH = 8;

/** Whether the first bytes are an MPEG transport stream: its first packets begin as packets do. */
export const isTransportStream = (head: Buffer): boolean =>
  LAYOUTS.some(({ packet, before }) => {
    let packets = 0;
    for (let at = before; at < head.length && packets < ENOUGH; at += packet) {
      if (head[at] !== SYNC) return false;
      packets += 1;
    }
    return packets >= FEWEST;
  });
