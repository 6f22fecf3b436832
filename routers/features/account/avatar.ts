import { createHash } from 'node:crypto';

/**
 * The default picture of an account: a symmetric pattern with its own colour, always the same for the same
 * id. An SVG without scripts, styles or references.
 */
export function generatedAvatar(userId: number): string {
  const hash = createHash('sha256').update(`avatar:${userId}`).digest();
  const hue = Math.round(((hash[0] ?? 0) / 255) * 360);
  const cells: string[] = [];
  for (let x = 0; x < 3; x += 1) {
    for (let y = 0; y < 5; y += 1) {
      if ((hash[1 + x * 5 + y] ?? 0) % 2 === 0) continue;
      cells.push(`<rect x="${x}" y="${y}" width="1" height="1"/>`);
      if (x < 2) cells.push(`<rect x="${4 - x}" y="${y}" width="1" height="1"/>`);
    }
  }
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 7 7" shape-rendering="crispEdges">' +
    `<rect x="-1" y="-1" width="7" height="7" fill="hsl(${hue} 40% 92%)"/>` +
    `<g fill="hsl(${hue} 55% 42%)">${cells.join('')}</g></svg>`
  );
}
