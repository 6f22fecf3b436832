/** What of a mail is shown: everything that a mail program shows, and nothing that it hides. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sanitiseMail } from '../../../server/drivers/mail/sanitise.js';

const visibility = suite('what of a mail is shown');
const clean = async (html: string): Promise<string> => (await sanitiseMail(html)).html;

visibility('what nobody was meant to see is left out, however it is hidden', async () => {
  for (const hiding of [
    'style="display:none"',
    'style="DISPLAY : NONE !important"',
    'style="visibility:hidden"',
    'style="opacity:0"',
    'style="font-size:0"',
    'style="font-size:1px;line-height:1px"',
    'style="max-height:0;overflow:hidden"',
    'style="mso-hide:all"',
    'hidden',
  ])
    assert.is(await clean(`<p>a</p><div ${hiding}>secret</div>`), '<p>a</p>', hiding);
  assert.match(await clean('<p style="opacity:0.9">seen</p>'), /seen/);
  assert.match(
    await clean('<style>.m{display:none}</style><p class="m" style="display:block">seen</p>'),
    /seen/,
  );
});

visibility('a cell whose text has no size keeps what has a size of its own', async () => {
  const cell = (inside: string) =>
    `<table><tbody><tr><td style="font-size:0px">${inside}</td></tr></tbody></table>`;
  const seen = await clean(cell('gap<div style="font-size:13px">seen</div><img src="cid:a" alt="picture">'));
  assert.match(seen, '<div style="font-size:13px">seen</div>');
  assert.match(seen, 'alt="picture"');
  assert.not.match(seen, 'gap');
  assert.match(
    await clean(cell('<div style="font-size:0"><b style="font-size:medium">seen</b></div>')),
    'seen',
  );
  for (const size of ['2em', '120%', 'larger', 'inherit', '0'])
    assert.not.match(
      await clean(`<p>a</p>${cell(`<div><p style="font-size:${size}">secret</p></div>`)}`),
      'secret',
      size,
    );
});

visibility('a text is as large as a mail program makes it, whichever way its size is given', async () => {
  const around = ['font-size:0', 'font:0/0 a', 'font:bold 0px Arial', 'font-size:1px'];
  const inside = [
    '<p style="font:14px/20px Arial">seen</p>',
    '<p style="font:italic 700 1.2rem &quot;A+B&quot;, sans-serif">seen</p>',
    '<p style="font:caption">seen</p>',
    '<p style="font-size:0;font:small-caps 12pt/1 serif">seen</p>',
    '<p style="font-size:calc(10px + 1vw)">seen</p>',
    '<p style="font-size:initial">seen</p>',
    '<font size="2">seen</font>',
    '<form style="font-size:12px">seen</form>',
    '<table><tbody><tr><td>seen</td></tr></tbody></table>',
  ];
  for (const outer of around)
    for (const inner of inside) {
      const source = `<p>a</p><div style="${outer}">${inner}</div>`;
      const result = await clean(source);
      assert.match(result, '>seen<', source);
      assert.match(result, /font(?:-size)?:[^"]*[1-9]\d*px[^>]*>(?:<t[^>]*>)*seen/, `${source} ${result}`);
    }
  assert.match(await clean('<div style="font-size:1px"><p style="font-size:14em">seen</p></div>'), 'seen');
  assert.match(await clean('<div style="font-size:1px"><p style="font:1400% a">seen</p></div>'), 'seen');
  assert.match(await clean(`${'<div style="font-size:.8em">'.repeat(40)}seen`), 'seen');
  for (const tiny of ['font:0/0 a', 'font:1px/1 Arial', 'font:0 Arial', 'font-size:1pt', 'font-size:.01em'])
    assert.is(await clean(`<p>a</p><div style="${tiny}">secret</div>`), '<p>a</p>', tiny);
  for (const tiny of ['font:700 2em Arial', 'font:inherit', 'font:bold', 'font:150%/1 Arial'])
    assert.not.match(
      await clean(`<p>a</p><div style="font-size:0"><p style="${tiny}">secret</p></div>`),
      'secret',
      tiny,
    );
});

visibility(
  'a mail in which everything is hidden is shown: only rules that are not read can show it',
  async () => {
    const pixel = '<img src="https://t.example/o.gif" width="1" height="1">';
    for (const source of [
      '<style>.d{display:none} @media screen{.d{display:block}}</style><div class="d">seen</div>',
      '<body style="font-size:0"><p>seen</p></body>',
      `<div style="visibility:hidden"><p style="visibility:visible">seen</p></div>${pixel}`,
      '<div style="max-height:0;overflow:hidden"><b hidden>seen</b></div>&nbsp;&zwnj;',
    ]) {
      const result = await clean(source);
      assert.match(result, '>seen<', source);
      assert.not.match(result, /font-size:0|display:none|max-height/, source);
    }
    const hidden = '<div style="display:none">secret</div>';
    assert.not.match(
      await clean(`${hidden}<img src="cid:a" width="600">`),
      'secret',
      'a picture is to be seen',
    );
    assert.match(
      await clean('<table><tr><td style="height:0;overflow:hidden">seen</td></tr></table>'),
      'seen',
    );
  },
);

visibility.run();
