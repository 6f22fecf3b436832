/**
 * `node .ci/docs-site.mjs [--out=FOLDER]`: the documents as a small site that needs no server: a page for each, with a list
 * of all and a search. Links between documents lead to their pages, and each heading has an address.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import Parser from 'markdown-it';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The pages that come first; the others follow by name. */
const FIRST = ['README.md', 'docs/operations.md', 'docs/api.md', 'docs/clients.md', 'docs/compare.md'];
const decisionsLast = (a, b) => a.includes('/adr/') - b.includes('/adr/') || (a < b ? -1 : 1);
/** As headings are addressed elsewhere: in lower case, words with hyphens. */
const slugOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
const pathOf = (source) => (source === 'README.md' ? 'index.html' : source.replace(/\.md$/, '.html'));
const escaped = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

const STYLE = `:root{color-scheme:light dark}body{margin:0;font:1rem/1.6 system-ui,sans-serif;display:grid;grid-template-columns:16rem minmax(0,1fr)}
nav{padding:1.5rem;border-inline-end:1px solid #8884;font-size:.9rem}nav ul{list-style:none;padding:0}nav a[aria-current]{font-weight:600}
main{padding:1.5rem clamp(1rem,4vw,4rem);max-width:60rem;overflow-wrap:anywhere}pre,table{overflow-x:auto;display:block}
td,th{border:1px solid #8884;padding:.3rem .6rem;text-align:start;vertical-align:top}code{font-size:.9em}img{max-width:100%}
input{width:100%;box-sizing:border-box;font:inherit;padding:.4rem}@media(max-width:50rem){body{display:block}nav{border:0}}`;

/** Finds headings and their texts by all words of the search. */
const SCRIPT = `const box=document.getElementById('search'),found=document.getElementById('found'),up=document.body.dataset.up;
box.hidden=false;box.addEventListener('input',()=>{const words=box.value.toLowerCase().split(/\\s+/).filter(Boolean);
found.replaceChildren(...(words.length?INDEX.filter(([,,text])=>words.every((w)=>text.includes(w))).slice(0,30):[]).map(([href,title])=>{
const li=document.createElement('li'),a=document.createElement('a');a.href=up+href;a.textContent=title;li.append(a);return li}))});`;

/** The files of the site, as paths and bytes. */
export function docsSite(version) {
  const names = readdirSync(join(root, 'docs'), { recursive: true }).map((name) => `docs/${name}`);
  const texts = names.filter((name) => name.endsWith('.md'));
  const sources = [
    ...new Set([...FIRST, 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', ...texts.sort(decisionsLast)]),
  ];
  const pages = sources.map((source) => pageOf(source, new Set(sources)));
  const index = pages.flatMap(({ sections }) => sections);
  const list = (up, current) =>
    pages
      .map(
        ({ path, title }) =>
          `<li><a href="${up}${path}"${path === current ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`,
      )
      .join('\n');
  const files = pages.map(({ path, title, html }) => {
    const up = '../'.repeat(path.split('/').length - 1);
    const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)} – Holdall ${version}</title><link rel="stylesheet" href="${up}style.css"></head>
<body data-up="${up}"><nav aria-label="Documents"><input id="search" type="search" placeholder="Search" aria-label="Search" hidden>
<ul id="found" role="status"></ul><ul>
${list(up, path)}
</ul></nav><main>
${html}</main><script src="${up}search.js"></script></body></html>
`;
    return [path, Buffer.from(page)];
  });
  const pictures = names.filter((name) => /\.(?:png|svg|jpg|webp)$/.test(name));
  return [
    ...files,
    ...pictures.map((name) => [name, readFileSync(join(root, name))]),
    ['style.css', Buffer.from(STYLE)],
    ['search.js', Buffer.from(`const INDEX=${JSON.stringify(index)};\n${SCRIPT}\n`)],
  ];
}

/** A document as HTML, its title, and what each of its sections says. */
function pageOf(source, sources) {
  const parser = new Parser({ html: false, linkify: true });
  const path = pathOf(source);
  const sections = [];
  const taken = new Map();
  parser.core.ruler.push('addresses', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const text = tokens[index + 1]?.content ?? '';
      if (token.type === 'heading_open') {
        const slug = slugOf(text);
        const again = taken.get(slug) ?? 0;
        taken.set(slug, again + 1);
        const id = again === 0 ? slug : `${slug}-${again}`;
        token.attrSet('id', id);
        sections.push([`${path}#${id}`, text, '']);
      } else if (token.type === 'inline' || token.type === 'fence') {
        const section = sections.at(-1);
        if (section !== undefined) section[2] += ` ${token.content.toLowerCase()}`;
      }
      for (const child of token.children ?? [])
        if (child.type === 'link_open') child.attrSet('href', leadsTo(child.attrGet('href') ?? ''));
    }
  });
  /** A link to another document leads to its page; to a file of the program, nowhere on this site. */
  const leadsTo = (href) => {
    const [file, hash] = href.split('#');
    if (file === '' || /^[a-z]+:/i.test(file)) return href;
    const target = posix.normalize(posix.join(posix.dirname(source), file));
    if (!sources.has(target)) return href;
    const away = posix.relative(posix.dirname(path), pathOf(target));
    return hash === undefined ? away : `${away}#${hash}`;
  };
  const html = parser.render(readFileSync(join(root, source), 'utf8'));
  return { path, html, sections, title: sections[0]?.[1].replace(/[`*]/g, '') ?? source };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'site') } } });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const [path, bytes] of docsSite(version)) {
    mkdirSync(dirname(join(values.out, path)), { recursive: true });
    writeFileSync(join(values.out, path), bytes);
  }
}
