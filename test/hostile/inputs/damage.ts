import type { Random } from '../../faults/clients/random.js';

/** Changes bytes, cuts, repeats, or writes significant numbers, mostly near the start. */
export function damage(whole: Buffer, random: Random): Buffer {
  let bytes = Buffer.from(whole);
  for (let changes = random.between(1, 6); changes > 0; changes -= 1) {
    const at = random.between(
      0,
      random.pick([64, 512, bytes.length].map((end) => Math.min(end, bytes.length))),
    );
    const kind = random.between(0, 6);
    if (kind === 0) bytes = bytes.subarray(0, Math.max(at, 1));
    else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at >> 1)]);
    else if (kind === 2)
      bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.between(1, 9))]);
    else if (kind === 3 && at + 4 <= bytes.length)
      bytes.writeUInt32BE(random.pick([0, 1, 0x7fffffff, 0x80000000, 0xffffffff, bytes.length]), at);
    else bytes[at] = random.between(0, 256);
  }
  return bytes;
}
