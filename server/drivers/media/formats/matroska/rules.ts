/** Identifiers of elements. */
export const EBML = 0x1a45dfa3;
export const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const CLUSTER = 0x1f43b675;
export const TAGS = 0x1254c367;
const ATTACHMENTS = 0x1941a469;
export const ATTACHED_FILE = 0x61a7;
export const VOID = 0xec;
export const CHECKSUM = 0xbf;

const TRACKS = 0x1654ae6b;
const TRACK = 0xae;
const CHAPTERS = 0x1043a770;
const EDITION = 0x45b9;
const CHAPTER = 0xb6;
const CHAPTER_DISPLAY = 0x80;
const VIDEO = 0xe0;
const AUDIO = 0xe1;
const BLOCK_GROUP = 0xa0;

/** Children of the segment: an element of unknown size ends before the next of them. */
export const SEGMENT_PARTS: ReadonlySet<number> = new Set([
  ...[0x114d9b74, INFO, TRACKS, CLUSTER, 0x1c53bb6b, CHAPTERS, TAGS, ATTACHMENTS],
]);

/**
 * What a player needs, by container. Elements that are not listed are erased; those that are listed and are containers
 * themselves are searched in turn. Void elements and checksums are treated separately.
 */
export const NEEDED: ReadonlyMap<number, ReadonlySet<number>> = new Map(
  (
    [
      [EBML, [0x4286, 0x42f7, 0x42f2, 0x42f3, 0x4282, 0x4287, 0x4285, 0x4281]],
      [SEGMENT, [...SEGMENT_PARTS]],
      [INFO, [0x73a4, 0x3cb923, 0x3eb923, 0x4444, 0x6924, 0x2ad7b1, 0x4489]],
      [TRACKS, [TRACK]],
      [
        TRACK,
        [
          ...[
            0xd7, 0x73c5, 0x83, 0xb9, 0x88, 0x55aa, 0x55ab, 0x55ac, 0x55ad, 0x55ae, 0x55af, 0x9c, 0x6de7,
            0x6df8,
          ],
          ...[
            0x23e383, 0x234e7a, 0x23314f, 0x537f, 0x55ee, 0x41e4, 0x22b59c, 0x22b59d, 0x86, 0x63a2, 0x7446,
            0xaa,
          ],
          ...[0x6fab, 0x56aa, 0x56bb, 0x6624, VIDEO, AUDIO, 0xe2, 0x6d80, 0xc0, 0xc1, 0xc6, 0xc7, 0xc4],
        ],
      ],
      [
        VIDEO,
        [
          ...[0xb0, 0xba, 0x9a, 0x9d, 0x53b8, 0x53c0, 0x53b9, 0x54aa, 0x54bb, 0x54cc, 0x54dd, 0x54b0, 0x54ba],
          ...[0x54b2, 0x54b3, 0x2eb524, 0x2fb523, 0x2383e3, 0x55b0, 0x7670],
        ],
      ],
      [AUDIO, [0xb5, 0x78b5, 0x9f, 0x7d7b, 0x6264, 0x52f1]],
      [CLUSTER, [0xe7, 0x5854, 0xa7, 0xab, 0xa3, BLOCK_GROUP, 0xaf]],
      [BLOCK_GROUP, [0xa1, 0x9b, 0xfb, 0xfd, 0xfa, 0x75a1, 0x75a2, 0xa4, 0xa2, 0x8e, 0xc8]],
      [CHAPTERS, [EDITION]],
      [EDITION, [0x45bc, 0x45bd, 0x45db, 0x45dd, 0x4520, CHAPTER]],
      [
        CHAPTER,
        [
          ...[0x73c4, 0x5654, 0x91, 0x92, 0x98, 0x4598, 0x4588, 0x6e67, 0x6ebc, 0x63c3, 0x8f],
          ...[CHAPTER_DISPLAY, CHAPTER],
        ],
      ],
      [CHAPTER_DISPLAY, [0x85, 0x437c, 0x437d, 0x437e]],
      [ATTACHMENTS, [ATTACHED_FILE]],
    ] as [number, number[]][]
  ).map(([container, parts]) => [container, new Set(parts)]),
);

/** Texts about the file that are not needed, and dates: erased with `strip`, kept with `location` if they name no place. */
export const DESCRIPTIONS: ReadonlySet<number> = new Set([
  ...[0x7ba9, 0x4461, 0x7384, 0x3c83ab, 0x3e83bb],
  ...[0x536e, 0x258688, 0x3a9697, 0x3b4040, 0x26b240],
]);
/** Names of the programs that made the file: every file must have them, so they become empty instead. */
export const PROGRAMS: ReadonlySet<number> = new Set([0x4d80, 0x5741]);

/** Parts of an attached file that stay; its description does not. */
export const FILE = { name: 0x466e, type: 0x4660, data: 0x465c, id: 0x46ae } as const;
