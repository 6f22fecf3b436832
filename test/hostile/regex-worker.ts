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
