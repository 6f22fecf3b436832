import * as fc from 'fast-check';
import { parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sanitiseMail } from '../../../server/drivers/mail/sanitise.js';
import { readStyleSheet } from '../../../server/drivers/mail/style-sheet.js';

const sanitise = suite('sanitised mail HTML');

async function clean(source: string): Promise<string> {
  return (await sanitiseMail(source)).html;
}

sanitise('ordinary mail keeps its appearance', async () => {
  const mail =
    '<table width="600" cellpadding="0" align="center"><tbody><tr><td style="color:#333;padding:8px 4px">' +
    '<b>Hello</b> <font color="red" face="Arial">Ada</font><br><ul><li>one</li></ul></td></tr></tbody></table>';
  assert.is(
    await clean(`<!doctype html><html><head><title>x</title></head><body>${mail}</body></html>`),
    mail,
  );
});

sanitise('everything that runs, submits or embeds is removed', async () => {
  for (const evil of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)><script>alert(1)</script></svg>',
    '<svg><animate attributeName=href values=javascript:alert(1)></svg>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="data:text/html,x"></object><embed src=x>',
    '<style>@import url(https://evil.example)</style><link rel=stylesheet href=//evil.example>',
    '<meta http-equiv=refresh content="0;url=https://evil.example">',
    '<base href="https://evil.example/">',
    '<form action=https://evil.example><input name=a></form>',
    '<template><script>alert(1)</script></template>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<textarea><img src=x onerror=alert(1)></textarea/>',
    '<svg><textarea><img src=x onerror=alert(1)></textarea></svg>',
    '<xmp><img src=x onerror=alert(1)></xmp>',
    '<noembed><img src=x onerror=alert(1)></noembed>',
    '<video poster=https://evil.example><source src=https://evil.example></video>',
    '<!--><img src=x onerror=alert(1)>-->',
    '<a href="javascript:alert(1)">',
    '<a href="java\nscript:alert(1)">',
    '<a href="&#1;javascript:alert(1)">',
    '<a href="data:text/html,x">',
    '<p id=location name=x class=y accesskey=z contenteditable tabindex=1>',
  ]) {
    const result = await clean(`before ${evil} after`);
    const html = result.replace(/&lt;.*?&gt;/gs, '');
    assert.not.match(
      html,
      /<(?!\/?(a|p|img|table|b)\b)|on\w+=|javascript|evil|style|srcdoc| id=|name=/i,
      `${evil} gave ${result}`,
    );
  }
});

sanitise('remote pictures are moved to data-src and counted', async () => {
  const result = await sanitiseMail(
    '<img src="https://t.example/1.gif" width="1"><img src=" //t.example/2.gif"><img srcset="https://t.example/3 2x">' +
      '<table background="http://t.example/4"></table><p style="background:url(https://t.example/5)">x</p>',
  );
  assert.is(result.blocked, 5);
  assert.is(
    result.html,
    '<img data-src="https://t.example/1.gif" width="1"><img data-src="https://t.example/2.gif"><img>' +
      '<table></table><p>x</p>',
  );
});

sanitise('embedded pictures are kept: cid in data-src, raster data in src', async () => {
  const result = await sanitiseMail(
    '<img src="cid:a@b"><img src="data:image/png;base64,iVBO\nRw=="><img src="data:image/svg+xml,x">',
  );
  assert.is(result.blocked, 0);
  assert.is(result.html, '<img data-src="cid:a@b"><img src="data:image/png;base64,iVBORw=="><img>');
});

sanitise('links open in a new tab and send no referrer', async () => {
  assert.is(
    await clean('<a href=" https://example.org/?a=1&b=2 " target=_top ping=https://evil.example>x</a>'),
    '<a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer nofollow" target="_blank">x</a>',
  );
});

sanitise('styles that load content, hide in escapes or leave their place are removed', async () => {
  const style = (text: string) => clean(`<p style="${text.replaceAll('"', '&quot;')}">x</p>`);
  assert.is(await style('color: red !important; position: fixed; top:0'), '<p style="color:red">x</p>');
  assert.is(
    await style('font:700 14px/1.5 "Segoe UI",Arial'),
    '<p style="font:700 14px/1.5 &quot;Segoe UI&quot;,Arial">x</p>',
  );
  for (const evil of [
    'background-color:url(https://evil.example)',
    'color:u\\72l(https://evil.example)',
    'width:expression(alert(1))',
    'color:red/*',
    'margin-top:-999px',
    'width:calc(1px)',
    'font-family:"a',
    'list-style-type:"https://evil.example"',
    'color:var(--x)',
    'behavior:url(x)',
    '-moz-binding:url(x)',
  ]) {
    assert.is(await style(evil), '<p>x</p>', evil);
  }
});

sanitise('markup that multiplies, nests too deeply or is too long gives nothing, quickly', async () => {
  const bomb = `<p>${Array.from({ length: 400 }, (_, n) => `<b a=${n}>`).join('')}</p>${'<p>x'.repeat(100_000)}`;
  assert.is(await clean(bomb), '');
  assert.is(await clean('<div>'.repeat(400_000)), '');
  assert.is(await clean('<table>'.repeat(200_000)), '');
  assert.is(await clean(`<table>${'<i>'.repeat(300_000)}`), '');
  assert.is(await clean('x'.repeat(2 * 1024 * 1024 + 1)), '');
  assert.is(await clean(`<p style="color:${'#aaaaaaaa'.repeat(22)}!">x`), '<p>x</p>');
});

const ELEMENTS = /^(a|b|br|div|i|img|li|p|span|table|tbody|td|th|tr|ul|font|pre|h1)$/;
const ATTRIBUTES = /^(href|rel|target|data-src|style|title|width|color)$/;
const pieces = [
  ...[
    'a',
    'b',
    'div',
    'i',
    'p',
    'table',
    'td',
    'tr',
    'pre',
    'font',
    'svg',
    'math',
    'style',
    'script',
    'title',
  ],
  ...[
    'textarea',
    'xmp',
    'noscript',
    'template',
    'select',
    'option',
    'form',
    'mtext',
    'mglyph',
    'desc',
    'iframe',
  ],
].flatMap((name) => [`<${name}>`, `</${name}>`, `<${name} `, `</${name}/>`]);
const glue = [
  ...['>', '"', "'", '<', '/', '=', '<!--', '-->', '<![CDATA[', ']]>', '&lt;', '&quot;', '\0', '`', '\n'],
  ...[
    'onerror=alert(1)',
    'href=javascript:x',
    'src=https://e.example',
    'style="color:red"',
    'title="',
    'text',
  ],
];

sanitise('for any input, a browser reads only allowed elements and attributes from the result', async () => {
  const markup = fc
    .array(fc.constantFrom(...pieces, ...glue), { maxLength: 30 })
    .map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(markup, async (source) => {
      const walk = (node: Tree.ChildNode): void => {
        assert.is.not(node.nodeName, '#comment');
        if (!('tagName' in node)) return;
        assert.match(node.tagName, ELEMENTS);
        for (const { name } of node.attrs) assert.match(name, ATTRIBUTES);
        node.childNodes.forEach(walk);
      };
      parseFragment(await clean(source)).childNodes.forEach(walk);
    }),
    { numRuns: 3000 },
  );
});

sanitise('a text that only a style sheet hides stays hidden, and body keeps its colours', async () => {
  const html = await clean(
    `<html><head><style>.pre{display:none} td.x > b{color:red} @media (max-width:1px){p{display:none}}</style></head>
    <body style="background-color:#0F1217;margin:0;font-family:-apple-system,'Segoe UI','メイリオ',sans-serif">
    <div class="pre">Preview</div><table><tr><td class="x" style="color:#ffffff">Hello <b>you</b>
    <a href="https://example.org/v" style="background:#5469d4 url(https://x.example/a.png) no-repeat;color:#fff">Verify</a>
    <p>Shown</p></td></tr></table></body></html>`,
  );
  assert.not.match(html, /Preview|x\.example|@media/);
  assert.match(html, /<div style="background-color:#0F1217;margin:0;font-family:-apple-system,/);
  assert.match(html, /'メイリオ',sans-serif/);
  assert.match(html, /background-color:#5469d4/);
  assert.match(html, /<b style="color:red">you/);
  assert.match(html, /Shown/);
});

sanitise('text keeps a contrast of 3 with the background that is shown', async () => {
  const colourOf = async (source: string) => /color:([^;"]+)[^>]*>text/.exec(await clean(source))?.[1];
  assert.is(await colourOf('<p style="color:#fff">text</p>'), '#000000');
  assert.is(
    await colourOf('<table bgcolor="#111111"><tr><td style="color:#222">text</td></tr></table>'),
    '#ffffff',
  );
  assert.is(
    await colourOf(
      '<div style="background:linear-gradient(90deg,#000,#333)"><p style="color:#eee">text</p></div>',
    ),
    '#eee',
  );
  assert.is(await colourOf('<body bgcolor="#0F1217"><p>text</p></body>'), undefined);
  assert.match(
    await clean('<body bgcolor="#0F1217"><p>text</p></body>'),
    /background-color:#0F1217;color:#ffffff/,
  );
  assert.match(
    await clean('<div style="background:#000"><a href="https://a.example">text</a></div>'),
    /<a [^>]*color:#ffffff/,
  );
});

sanitise('style sheets of any size and shape take bounded work', async () => {
  const rules = Array.from({ length: 5_000 }, (_, n) => `div div div .c${n % 7} p{color:red}`).join('');
  const body = '<div class="c1 c2 c3">'.repeat(200) + '<p>x'.repeat(2_000);
  assert.match(await clean(`<style>${rules}{{{{</style>${body}`), /<p/);
  assert.is(await clean('<style>p{color:red}@media{</style><p>x</p>'), '<p style="color:red">x</p>');
});

// Each of these took from half a minute to many before it was bounded.
sanitise('a mail that is made to be slow to read is read like any other', async () => {
  const spaces = ' '.repeat(250_000);
  assert.is(
    await clean(
      `<style>a${spaces}b{color:red}a${spaces}>${spaces}i{color:red}</style><a><i>x</i></a>`.slice(
        0,
        2 ** 21,
      ),
    ),
    '<a><i>x</i></a>',
  );
  assert.is(
    await clean('<style>a  >\n b{color:red}</style><a><b>x</b></a>'),
    '<a><b style="color:red">x</b></a>',
  );
  const everywhere = `<style>i{${'color:red;'.repeat(20_000)}}</style>`;
  const shown = await clean(everywhere + '<i>x</i>'.repeat(5_000));
  assert.ok(shown.startsWith('<i style="color:red">x</i>'));
  assert.ok(shown.endsWith('<i>x</i>'), 'elements behind the limit have no style, and are there');
  assert.is(await clean(`<p><font face="${'A'.repeat(500_000)}">${'<p>x'.repeat(3_000)}`), '');
});

/** Classes that count how often they are looked up. */
class Counted extends Set<string> {
  static lookups = 0;
  override has(name: string): boolean {
    Counted.lookups += 1;
    return super.has(name);
  }
}

sanitise(
  'what a style sheet costs is bounded, however many classes and ancestors its selectors compare',
  () => {
    const names = Array.from({ length: 49 }, (_, index) => `c${index}`);
    const all = names.map((name) => `.${name}`).join('');
    const element = (parent: Parameters<ReturnType<typeof readStyleSheet>['stylesFor']>[0] | null) => ({
      ...{ tag: 'p', id: '', classes: new Counted(names), parent },
    });
    const nested = Array.from({ length: 400 }).reduce<ReturnType<typeof element>>(element, element(null));
    const many = all.repeat(20);
    for (const [name, sheet, elements, each] of [
      ['many classes of many rules', `${many}.other{color:red}`.repeat(60), 20_000, element(null)],
      ['many ancestors', `${many}.other p{color:red}`.repeat(60), 20_000, nested],
      ['one element', `${all}.other p{color:red}`.repeat(1_200), 1, nested],
    ] as const) {
      Counted.lookups = 0;
      const styles = readStyleSheet([sheet]);
      for (let count = 0; count < elements; count += 1) styles.stylesFor(each);
      assert.ok(Counted.lookups <= 1_100_000, `${name}: ${Counted.lookups}`);
      assert.equal(readStyleSheet([`${all}{color:red}`]).stylesFor(each), ['color:red']);
    }
  },
);

sanitise.run();
