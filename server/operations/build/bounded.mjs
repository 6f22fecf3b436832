import { parseAst } from 'rollup/parseAst';

const LOOPS = ['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement'];
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/**
 * What each turn of a loop and each function asks. The clock is read once in 16 times, which costs a tenth of what a drawing
 * takes.
 */
const ASKED = `'use strict';
let turns = 0;
globalThis.boundedUntil = Infinity;
function inTime() {
  turns = (turns + 1) & 15;
  if (turns === 0 && performance.now() > globalThis.boundedUntil) throw new Error('too long');
}
`;

/**
 * The code of a script, which throws once it is later than `globalThis.boundedUntil` (as `performance.now()` has it), whatever
 * it is doing. Nothing else can stop a script in a browser that runs it together with its page.
 */
export function bounded(code) {
  const added = [];
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node?.type !== 'string') return;
    const isLoop = LOOPS.includes(node.type);
    if ((isLoop || FUNCTIONS.includes(node.type)) && node.body.type === 'BlockStatement')
      added.push([node.body.start + 1, 'inTime();']);
    else if (isLoop) added.push([node.body.start, '{inTime();'], [node.body.end, '}']);
    for (const part of Object.values(node)) visit(part);
  };
  visit(parseAst(code));
  let at = 0;
  const parts = [ASKED];
  for (const [position, text] of added.sort(([a], [b]) => a - b)) {
    parts.push(code.slice(at, position), text);
    at = position;
  }
  return parts.join('') + code.slice(at);
}
