/** How many of 300 known words are read in each of 100 screens, and what that takes: `node --import tsx test/bench/picture-words.ts`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pictureWords } from '../../server/drivers/media/reading/picture.js';
import { recall, type ScreenLanguage, screen } from '../support/media/screens.js';

const SCREENS = Number(process.argv[2] ?? 100);
const languages: readonly ScreenLanguage[] = ['eng', 'deu', 'ces'];
const folder = await mkdtemp(join(tmpdir(), 'holdall-words-'));
const found = new Map<ScreenLanguage, number[]>();
const seconds: number[] = [];
const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
try {
  for (let index = 0; index < SCREENS; index += 1) {
    const { about, language, words, png } = await screen(index);
    const path = join(folder, 'screen.png');
    await writeFile(path, png);
    const before = process.cpuUsage();
    const read = await pictureWords({ path, languages });
    const { user, system } = process.cpuUsage(before);
    const took = (user + system) / 1e6;
    const share = recall(words, read?.text ?? '');
    found.set(language, [...(found.get(language) ?? []), share]);
    // The first loads the models.
    if (index > 2) seconds.push(took);
    process.stdout.write(`${about}: ${share.toFixed(3)}, ${took.toFixed(2)} s of processor\n`);
  }
  for (const [language, all] of found)
    process.stdout.write(`${language}: ${mean(all).toFixed(3)}, at least ${Math.min(...all).toFixed(3)}\n`);
  const { rss } = process.memoryUsage();
  process.stdout.write(
    `${mean(seconds).toFixed(2)} s of processor, at most ${Math.max(...seconds).toFixed(2)}; ${Math.round(rss / 1e6)} MB\n`,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
