import type { Expression } from './expressions.js';
import { pumpedTexts } from './pumps.js';

/** The input of this process: expressions to try, and how often each text repeats its piece. */
export interface RegexTask {
  readonly expressions: readonly Expression[];
  readonly times: number;
}

/**
 * Reported before each text, and before making the texts for the next expression; null once everything was
 * tried.
 */
export type RegexStep = { readonly expression: number; readonly text: string } | 'making texts' | null;

/**
 * Resolves once the message is sent: a message that is only queued would be delayed by a running expression.
 */
const tell = (step: RegexStep): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(step, () => resolve());
  });

/**
 * Long texts are expensive to make, so that short ones come first: what is not linear takes many times as long as this
 * on them, in milliseconds.
 */
const SHORTER = 5;
const SUSPICIOUS_MS = 15;

/** Tries an expression on its worst-case texts; whether one took longer than `enoughMs`, which ends the trial. */
async function isSlow(
  index: number,
  { source, flags }: Expression,
  times: number,
  enoughMs: number,
): Promise<boolean> {
  await tell('making texts');
  for (const text of pumpedTexts(source, flags, times)) {
    await tell({ expression: index, text: `${text.slice(0, 60)}…${text.slice(-10)}` });
    const expression = new RegExp(source, flags);
    const started = performance.now();
    if (flags.includes('g')) text.replace(expression, '');
    else expression.test(text);
    if (performance.now() - started > enoughMs) return true;
  }
  return false;
}

process.once('message', async ({ expressions, times }: RegexTask) => {
  for (const [index, expression] of expressions.entries())
    if (await isSlow(index, expression, times / SHORTER, SUSPICIOUS_MS))
      await isSlow(index, expression, times, Number.POSITIVE_INFINITY);
  await tell(null);
});
