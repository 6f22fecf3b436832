import { writeFile } from 'node:fs/promises';

/** A file with one path per line. */
export interface PathList {
  readonly file: string;
  readonly length: number;
}

/** Writes paths for the load generators. */
export async function writePaths(file: string, paths: readonly string[]): Promise<PathList> {
  await writeFile(file, paths.map((path) => `${path}\n`).join(''));
  return { file, length: paths.length };
}

/** The same items in random order. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
