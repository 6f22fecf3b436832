/** Values of `Range`, and their result for a content of 1,000 bytes. */

/** `[first, end)` of the bytes sent, `whole`, or `none` for 416. */
export type Outcome = readonly [first: number, end: number] | 'whole' | 'none';

export const SIZE = 1_000;

export const ranges: readonly (readonly [range: string, outcome: Outcome])[] = [
  ['bytes=0-0', [0, 1]],
  ['bytes=999-999', [999, 1_000]],
  ['bytes=0-999999999999999', [0, 1_000]],
  ['bytes=000000000000005-6', [5, 7]],
  ['bytes=-1', [999, 1_000]],
  ['bytes=-999999999999999', [0, 1_000]],
  ['  bytes=1-2  ', [1, 3]],
  ['bytes=1000-', 'none'],
  ['bytes=1000-2000', 'none'],
  ['bytes=999999999999999-', 'none'],
  ['bytes=-0', 'none'],
  // More digits than any file has bytes are not a range.
  [`bytes=${'9'.repeat(400)}-`, 'whole'],
  [`bytes=0-${'9'.repeat(400)}`, 'whole'],
  [`bytes=-${'9'.repeat(400)}`, 'whole'],
  ['bytes=5-2', 'whole'],
  ['bytes=-', 'whole'],
  ['bytes=', 'whole'],
  ['bytes', 'whole'],
  ['', 'whole'],
  ['bytes=--1', 'whole'],
  ['bytes=-1-2', 'whole'],
  ['bytes=1--2', 'whole'],
  ['bytes=+1-2', 'whole'],
  ['bytes=0x1-0x2', 'whole'],
  ['bytes=1e1-2e1', 'whole'],
  ['bytes=1.0-2.0', 'whole'],
  ['bytes= 1-2', 'whole'],
  ['bytes=1 - 2', 'whole'],
  ['bytes =1-2', 'whole'],
  ['bytes=\xa01-2', 'whole'],
  ['bytes=\xb9-\xb2', 'whole'],
  ['Bytes=a-b', 'whole'],
  ['seconds=1-2', 'whole'],
  ['none', 'whole'],
  ['bytes=0-0,999-999', 'whole'],
  ['bytes=0-,0-,0-,0-', 'whole'],
  ['bytes=1000-,2000-', 'whole'],
  [`bytes=${'0-,'.repeat(3_000)}0-`, 'whole'],
  [`bytes=${Array.from({ length: 1_000 }, (_, index) => `${index}-${index}`).join(',')}`, 'whole'],
  [`bytes=${'-1,'.repeat(2_000)}`, 'whole'],
  [`bytes=${','.repeat(8_000)}`, 'whole'],
];
