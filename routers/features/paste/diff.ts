/** Lines around each change. */
const CONTEXT = 3;
/** Texts that differ in more lines, or take longer to compare, are shown as replaced. */
const MAX_EDITS = 20_000;
const PATIENCE_MS = 2_000;

/** One of two texts. */
interface Side {
  readonly name: string;
  /** Which one it is. */
  readonly note: string;
  readonly text: string;
}

/**
 * The unified diff of two texts. It is computed in steps, so that other requests get their turn; texts that have too
 * little in common are shown as one replaced by the other, which is a diff as well.
 */
export async function unifiedDiff(from: Side, to: Side): Promise<string> {
  const { createTwoFilesPatch } = await import('diff');
  const patch = await new Promise<string | undefined>((resolve) => {
    createTwoFilesPatch(from.name, to.name, from.text, to.text, from.note, to.note, {
      context: CONTEXT,
      maxEditLength: MAX_EDITS,
      timeout: PATIENCE_MS,
      callback: resolve,
    });
  });
  const whole = patch ?? replacement(from, to);
  // What stands in front of the names is not part of the format.
  return whole.slice(whole.indexOf('--- '));
}

/** Every line taken away, then every line added. */
function replacement(from: Side, to: Side): string {
  const names = `--- ${from.name}\t${from.note}\n+++ ${to.name}\t${to.note}\n`;
  const range = `@@ -${rangeOf(from.text)} +${rangeOf(to.text)} @@\n`;
  return names + range + marked('-', from.text) + marked('+', to.text);
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

const rangeOf = (text: string): string => {
  const { length } = linesOf(text);
  return length === 0 ? '0,0' : `1,${length}`;
};

const marked = (sign: '-' | '+', text: string): string =>
  linesOf(text)
    .map((line) => `${sign}${line}\n`)
    .join('') + (text === '' || text.endsWith('\n') ? '' : '\\ No newline at end of file\n');
