import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { SanitiseMail } from '../../../routers/base/ports/mail/mail-services.js';
import { sanitisedToText } from '../../../routers/base/text/html-text.js';
import { fontSizeOf, isTiny, NORMAL } from './font-size.js';
import { type Ground, isHidden, PAPER, readableOn } from './readable.js';
import { attributesOf, readStyle, writeStyle } from './sanitise-attributes.js';
import { type Matchable, readStyleSheet } from './style-sheet.js';

/** Elements to keep. None of them runs, loads or submits anything, or holds raw text. */
const KEPT = new Set(
  (
    'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div ' +
    'dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q ' +
    's samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr'
  ).split(' '),
);
/** Elements removed with their content. For all other elements, only the tags are removed. */
const DROPPED = new Set(
  (
    'applet audio canvas datalist embed frameset head iframe math noembed noframes noscript object option ' +
    'plaintext script select style svg template textarea title video xmp'
  ).split(' '),
);
/** Browsers stop nesting at 512. The work of the parser and our recursion depth grow with nesting. */
const MAX_DEPTH = 512;
/** Misnested formatting multiplies: a few bytes can create millions of elements. */
const MAX_NODES = 20_000;
/** Longer HTML, in UTF-16 units, is not shown. */
export const MAX_HTML_LENGTH = 2 * 1024 * 1024;
/** Of all attributes in the tree: each element that misnested formatting creates has them again. */
const MAX_ATTRIBUTES_LENGTH = 2 * MAX_HTML_LENGTH;

/** Elements with more classes are no work of a person. */
const MAX_CLASSES = 50;

class TooLarge extends Error {}

/** An element of the result, and what those below it inherit. */
interface Kept {
  readonly node: Tree.ParentNode;
  readonly element: Matchable | null;
  readonly ground: Ground;
  /** Of its text, in pixels. */
  readonly size: number;
}

/** The colours that attributes of `body` give become a style: the element that takes its place has none of them. */
function asStyle(given: ReadonlyMap<string, string>, style: Map<string, string>): void {
  for (const [attribute, property] of [
    ['bgcolor', 'background-color'],
    ['text', 'color'],
  ] as const) {
    const value = given.get(attribute);
    if (value !== undefined && !style.has(property)) style.set(property, value);
  }
}

/** Whether an element that was only a text for programs is left with nothing; a cell keeps its place. */
const isEmpty = ({ tagName, childNodes }: Tree.Element): boolean =>
  childNodes.length === 0 && !['td', 'th', 'img', 'br', 'hr'].includes(tagName);

/** The texts of all style sheets of a mail. */
function sheetsIn(from: Tree.ParentNode, tree: typeof import('parse5').defaultTreeAdapter): string[] {
  return from.childNodes.flatMap((node) => {
    if (!tree.isElementNode(node)) return [];
    if (node.tagName !== 'style') return sheetsIn(node, tree);
    return node.childNodes.map((child) => (tree.isTextNode(child) ? child.value : ''));
  });
}

/** A letter, a number or a sign; spaces without and with a width only fill the preview in a list of mails. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether a picture is one to see, and not one that only tells its sender when the mail is read. */
const isPicture = ({ tagName, attrs }: Tree.Element): boolean =>
  tagName === 'img' &&
  !attrs.some(({ name, value }) => /^(?:width|height)$/.test(name) && /^[0-2](?:px)?$/.test(value));

/**
 * Sanitises with an allow list on the tree that browsers build (parse5 uses their algorithm) and writes a new tree of
 * HTML elements only. Because nothing kept holds raw text or foreign markup, the result parses to the same tree
 * again; sanitisers based on looser parsers fail there. If nothing is left to see, what is hidden is shown: a rule that
 * we do not read may show it. Markup over the limits (2 MiB, depth 512, 20,000 nodes, 4 MiB of attributes in the tree)
 * gives an empty result: the text of the mail is still shown.
 */
export const sanitiseMail: SanitiseMail = async (source) => {
  const { defaultTreeAdapter: tree, html, parse, parseFragment, serialize } = await import('parse5');

  /** A pass over the tree: with `bare`, without what hides something. */
  const write = (parsed: Tree.Document, bare: boolean) => {
    const sheet = readStyleSheet(sheetsIn(parsed, tree));
    const result = parseFragment('');
    let blocked = 0;
    let seen = false;

    /** An element as it is kept; null if nobody was meant to see it. */
    const dress = (
      node: Tree.Element,
      name: string,
      parent: Kept,
    ): (Kept & { readonly node: Tree.Element }) | null => {
      const given = new Map(node.attrs.map(({ name, value }) => [name, value]));
      const element = {
        tag: node.tagName,
        id: given.get('id') ?? '',
        classes: new Set((given.get('class') ?? '').split(/\s+/, MAX_CLASSES + 1).filter(Boolean)),
        parent: parent.element,
      };
      const style = readStyle([...sheet.stylesFor(element), given.get('style') ?? '']);
      // In a document without a type, tables do not have the size of the text around them.
      const around = node.tagName === 'table' && parsed.mode === 'quirks' ? NORMAL : parent.size;
      let size = fontSizeOf(style, given, around);
      const hidden = isHidden(node.tagName, style, given);
      if (hidden && !bare) return null;
      if (bare && (hidden || isTiny(size))) {
        style.clear();
        size = NORMAL;
      }
      if (isTiny(parent.size) && !isTiny(size)) giveSize(style, size);
      if (name !== node.tagName) asStyle(given, style);
      const { ground, colour } = readableOn(node.tagName, style, given, parent.ground);
      if (colour !== null) style.set('color', colour);
      const { attributes, remote } = attributesOf(name, node.attrs);
      blocked += remote;
      const written = writeStyle(style);
      const all = written === '' ? attributes : [...attributes, { name: 'style', value: written }];
      return { node: tree.createElement(name, html.NS.HTML, all), element, ground, size };
    };

    const copy = (from: Tree.ParentNode, to: Kept): void => {
      for (const node of from.childNodes) {
        if (tree.isTextNode(node) && !isTiny(to.size)) {
          tree.insertText(to.node, node.value);
          seen ||= VISIBLE.test(node.value);
        }
        if (!tree.isElementNode(node) || node.namespaceURI !== html.NS.HTML) continue;
        if (DROPPED.has(node.tagName)) continue;
        const kept = keep(node, to);
        if (kept === 'content') copy(node, to);
        if (kept === 'content' || kept === null) continue;
        if (node.tagName === 'body' && kept.node.attrs.length === 0) {
          copy(node, { ...kept, node: to.node });
          continue;
        }
        seen ||= isPicture(node);
        tree.appendChild(to.node, kept.node);
        copy(node, kept);
        if (isTiny(kept.size) && !isTiny(to.size) && isEmpty(kept.node)) tree.detachNode(kept.node);
      }
    };

    /** What takes the place of an element: another one, only its content, or nothing. */
    const keep = (node: Tree.Element, to: Kept): ReturnType<typeof dress> | 'content' => {
      const name = node.tagName === 'body' ? 'div' : node.tagName;
      if (KEPT.has(name)) return dress(node, name, to);
      // A form or a label may give its text a size that what is around does not have.
      const sized = isTiny(to.size) && node.childNodes.length > 0 ? dress(node, 'span', to) : null;
      return sized === null || isTiny(sized.size) ? 'content' : sized;
    };

    copy(parsed, { node: result, element: null, ground: PAPER, size: NORMAL });
    return { html: serialize(result), blocked, seen };
  };

  try {
    if (source.length > MAX_HTML_LENGTH) throw new TooLarge();
    const parsed = parse(source, { treeAdapter: bounded(tree) });
    const plain = write(parsed, false);
    const bare = plain.seen ? plain : write(parsed, true);
    const { html, blocked } = bare.seen ? bare : plain;
    return { html, blocked, text: sanitisedToText(html) };
  } catch (error) {
    if (error instanceof TooLarge) return { html: '', blocked: 0, text: '' };
    throw error;
  }
};

/** Says the size of a text inside of one that cannot be seen, unless its style says it already in a form that is kept. */
function giveSize(style: Map<string, string>, size: number): void {
  if (!style.has('font') && /^[\d.]+px$/.test(style.get('font-size') ?? '')) return;
  style.delete('font-size');
  style.set('font-size', `${Math.round(size * 100) / 100}px`);
}

/** A tree builder with limits on nodes, their attributes and depth; over a limit it throws `TooLarge`. */
function bounded(tree: typeof import('parse5').defaultTreeAdapter): typeof tree {
  let nodes = 0;
  let depth = 0;
  let attributes = 0;
  const spend = () => {
    nodes += 1;
    if (nodes > MAX_NODES) throw new TooLarge();
  };
  return {
    ...tree,
    createElement(name, namespace, given) {
      spend();
      for (const attribute of given) attributes += attribute.name.length + attribute.value.length;
      if (attributes > MAX_ATTRIBUTES_LENGTH) throw new TooLarge();
      return tree.createElement(name, namespace, given);
    },
    createCommentNode(data) {
      spend();
      return tree.createCommentNode(data);
    },
    onItemPush() {
      depth += 1;
      if (depth > MAX_DEPTH) throw new TooLarge();
    },
    onItemPop() {
      depth -= 1;
    },
  };
}
