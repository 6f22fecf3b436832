import type { Expression } from './expressions.js';
import { pumpedTexts } from './pumps.js';

/** What this process is asked: expressions to try, and how often each text repeats its piece. */
export interface RegexTask {
  readonly expressions: readonly Expression[];
  readonly times: number;
}

/**
 * What it tells before it begins with a text, or with making the texts for the next expression; null once it has
 * tried everything.
 */
export type RegexStep = { readonly expression: number; readonly text: string } | 'making texts' | null;

/** Resolves once the message has left: what is only queued while an expression runs would be told too late. */
const tell = (step: RegexStep): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(step, () => resolve());
  });

process.once('message', async ({ expressions, times }: RegexTask) => {
  for (const [index, { source, flags }] of expressions.entries()) {
    await tell('making texts');
    for (const text of pumpedTexts(source, flags, times)) {
      await tell({ expression: index, text: `${text.slice(0, 60)}…${text.slice(-10)}` });
      const expression = new RegExp(source, flags);
      if (flags.includes('g')) text.replace(expression, '');
      else expression.test(text);
    }
  }
  await tell(null);
});
