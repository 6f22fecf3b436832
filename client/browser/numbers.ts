/** Numbers the lines of a text field: beside it, out of the way of screen readers, and scrolled with it. */
export function numberLines(field: HTMLTextAreaElement): void {
  const numbers = document.createElement('pre');
  numbers.className = 'numbers';
  numbers.setAttribute('aria-hidden', 'true');
  const frame = document.createElement('div');
  frame.className = 'numbered';
  const focused = document.activeElement === field;
  field.before(frame);
  frame.append(numbers, field);
  // To move an element takes the focus from it.
  if (focused) field.focus();
  // A line that wraps would have several rows, but one number.
  field.wrap = 'off';
  let shown = 0;
  const update = (): void => {
    const lines = linesOf(field.value);
    if (lines !== shown)
      numbers.textContent = Array.from({ length: lines }, (_, line) => line + 1).join('\n');
    shown = lines;
    numbers.scrollTop = field.scrollTop;
  };
  field.addEventListener('input', update);
  field.addEventListener('scroll', () => {
    numbers.scrollTop = field.scrollTop;
  });
  update();
}

function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
