import type { Expression } from './expressions.js';
import { pumpedTexts } from './pumps.js';

/** What this process is asked: expressions to try, and how often each text repeats its piece. */
export interface RegexTask {
  readonly expressions: readonly Expression[];
  readonly times: number;
}

/** What it tells before it begins with a text; null once it has tried everything. */
export type RegexStep = { readonly expression: number; readonly text: string } | null;

process.once('message', ({ expressions, times }: RegexTask) => {
  for (const [index, { source, flags }] of expressions.entries())
    for (const text of pumpedTexts(source, flags, times)) {
      process.send?.({ expression: index, text: `${text.slice(0, 60)}…${text.slice(-10)}` });
      const expression = new RegExp(source, flags);
      if (flags.includes('g')) text.replace(expression, '');
      else expression.test(text);
    }
  process.send?.(null);
});
