import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import type { SanitiseMail } from '../../../routers/ports/mail.js';
import { attributesOf } from './sanitise-attributes.js';

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
const MAX_LENGTH = 2 * 1024 * 1024;

class TooLarge extends Error {}

/**
 * Sanitises with an allow list on the tree that browsers build (parse5 uses their algorithm) and writes a new tree of
 * HTML elements only. Because nothing kept holds raw text or foreign markup, the result parses to the same tree
 * again; sanitisers based on looser parsers fail there. Markup over the limits (2 MiB, depth 512, 20,000 nodes) gives
 * an empty result: the text of the mail is still shown.
 */
export const sanitiseMail: SanitiseMail = async (source) => {
  const { defaultTreeAdapter: tree, html, parse, parseFragment, serialize } = await import('parse5');
  const result = parseFragment('');
  let blocked = 0;

  const copy = (from: Tree.ParentNode, to: Tree.ParentNode): void => {
    for (const node of from.childNodes) {
      if (tree.isTextNode(node)) tree.insertText(to, node.value);
      if (!tree.isElementNode(node) || node.namespaceURI !== html.NS.HTML) continue;
      if (DROPPED.has(node.tagName)) continue;
      if (!KEPT.has(node.tagName)) {
        copy(node, to);
        continue;
      }
      const { attributes, remote } = attributesOf(node.tagName, node.attrs);
      blocked += remote;
      const kept = tree.createElement(node.tagName, html.NS.HTML, attributes);
      tree.appendChild(to, kept);
      copy(node, kept);
    }
  };

  try {
    if (source.length > MAX_LENGTH) throw new TooLarge();
    copy(parse(source, { treeAdapter: bounded(tree) }), result);
    return { html: serialize(result), blocked };
  } catch (error) {
    if (error instanceof TooLarge) return { html: '', blocked: 0 };
    throw error;
  }
};

/** A tree builder with limits on nodes and depth; over a limit it throws `TooLarge`. */
function bounded(tree: typeof import('parse5').defaultTreeAdapter): typeof tree {
  let nodes = 0;
  let depth = 0;
  const spend = () => {
    nodes += 1;
    if (nodes > MAX_NODES) throw new TooLarge();
  };
  return {
    ...tree,
    createElement(...element) {
      spend();
      return tree.createElement(...element);
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
