import { type Edit, overwrite, zero } from '../../../edits.js';
import type { Removal } from '../../../metadata/policy.js';
import { type ByteSource, isZero } from '../../../source.js';
import { type Box, everyBox } from '../boxes.js';
import { FREE_SPACE } from './rules.js';

/** Collects edits that erase parts of an ISO file in place, so that no offset changes. */
export class Blanker {
  readonly edits: Edit[] = [];

  constructor(
    readonly source: ByteSource,
    readonly removal: Removal,
  ) {}

  /** Turns a box into free space of the same size; what is no box becomes zeros. */
  async erase(box: Box): Promise<void> {
    if (box.dataAt === box.start || FREE_SPACE.has(box.type)) return this.blank(box.dataAt, box.end);
    this.edits.push(overwrite(box.start + 4, Buffer.from('free', 'latin1')));
    if (box.dataAt < box.end) this.edits.push(zero(box.dataAt, box.end));
  }

  /** Zeros a range, unless it is zero already. */
  async blank(start: number, end: number): Promise<void> {
    if (!(await isZero(this.source, start, end)))
      this.edits.push(zero(start, Math.min(end, this.source.size)));
  }

  /** Overwrites bytes, unless they are the same already. */
  async rewrite(at: number, bytes: Buffer): Promise<void> {
    const present = await this.source.read(at, bytes.length);
    if (present.length === bytes.length && !present.equals(bytes)) this.edits.push(overwrite(at, bytes));
  }

  /** Erases the children of a box that are not listed; the others are yielded. `skip` bytes come before the first. */
  async *needed(box: Box, types: ReadonlySet<string>, skip = 0): AsyncGenerator<Box> {
    for await (const child of everyBox(this.source, Math.min(box.dataAt + skip, box.end), box.end)) {
      if (types.has(child.type)) yield child;
      else await this.erase(child);
    }
  }

  /** Erases the children of a box that are not listed. */
  async eraseOthers(box: Box, types: ReadonlySet<string>, skip = 0): Promise<void> {
    for await (const _ of this.needed(box, types, skip));
  }
}
