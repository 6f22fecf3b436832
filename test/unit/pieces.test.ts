import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inPieces } from '../../routers/base/text/pieces.js';

const pieces = suite('long texts in pieces');

pieces('a long text is changed as in one go, wherever its pieces end', () => {
  for (const unit of ['x\r\n', '\r\n', 'é\r\n\r', '😀\r\n', '日本\r\n'])
    for (const shift of ['', 'a', 'ab']) {
      const text = shift + unit.repeat(200_000);
      const change = (piece: string) => piece.replace(/\r\n?/g, '\n');
      assert.ok(inPieces(text, change) === change(text), JSON.stringify(`${shift}${unit}`));
    }
});

pieces('half a letter stays what it was', () => {
  const text = `${'x'.repeat(300_000)}\ud83d`;
  assert.is(
    inPieces(text, (piece) => piece),
    text,
  );
});

pieces.run();
