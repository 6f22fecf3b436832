/** Texts are cut where readers see the end of a character. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cutName, cutText } from '../../routers/base/text/cut.js';
import { sanitisedToText } from '../../routers/base/text/html-text.js';
import { clamp } from '../../server/drivers/outbound/payloads/summary.js';

const cuts = suite('cut texts');
const characters = ['😀', '👩‍👩‍👧‍👦', '🇩🇪', 'é', 'é', 'नि', '👍🏽', '각'];

cuts('no character is halved, wherever the limit is', () => {
  const text = characters.join('').repeat(3);
  const ends = new Set([0]);
  let end = 0;
  for (const character of Array.from({ length: 3 }, () => characters).flat()) {
    end += character.length;
    ends.add(end);
  }
  for (let limit = 1; limit <= text.length; limit += 1) {
    const cut = cutText(text, limit);
    assert.ok(cut.length <= limit && text.startsWith(cut), String(limit));
    // Shorter than the first character, it is at least well-formed.
    if (cut.length >= 2) assert.ok(ends.has(cut.length), `${limit}: ${cut}`);
    assert.ok(cut.isWellFormed());
    assert.ok(clamp(text, limit).length <= limit);
  }
});

cuts('a long name keeps its extension', () => {
  assert.is(cutName(`${'😀'.repeat(200)}.tar`, 20), `${'😀'.repeat(8)}.tar`);
  assert.is(cutName('short.png', 20), 'short.png');
  assert.is(cutName('x'.repeat(30), 20), 'x'.repeat(20));
});

cuts('the text of a page keeps words apart that its blocks keep apart', () => {
  assert.is(sanitisedToText('<table><tr><td>Code</td><td>482913</td></tr></table>'), 'Code 482913');
  assert.is(
    sanitisedToText('Before<p>one</p><blockquote>two</blockquote>three<hr>four'),
    'Before\none\ntwo\nthree\nfour',
  );
  assert.is(sanitisedToText('<div><div>a</div></div><ul><li>b</li><li>c</li></ul>'), 'a\n\nb\nc');
});

cuts.run();
