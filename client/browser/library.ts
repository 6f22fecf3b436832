/** Lists with many items: shows how many are selected, selects all at once, or a range with Shift. */
const boxes = Array.from(document.querySelectorAll<HTMLInputElement>('input[name="ids"]'));
const bar = document.querySelector<HTMLElement>('[data-bulk]');
/** Chooses what the other pages of the list have, too. */
const whole = bar?.querySelector<HTMLInputElement>('input[name="all"]') ?? null;
const wholeLabel = whole?.closest('label') ?? null;
let last: number | null = null;

boxes.forEach((box, index) => {
  box.addEventListener('click', (event) => {
    if (event.shiftKey && last !== null) select(last, index, box.checked);
    last = index;
    update();
  });
});
document.querySelector('[data-select-all]')?.addEventListener('click', () => {
  const all = boxes.some((box) => !box.checked);
  select(0, boxes.length - 1, all);
  update();
});
whole?.addEventListener('change', update);
update();
// When the user navigates back, the browser restores the ticked boxes.
addEventListener('pageshow', update);

function select(from: number, to: number, checked: boolean): void {
  for (const box of boxes.slice(Math.min(from, to), Math.max(from, to) + 1)) box.checked = checked;
}

function update(): void {
  if (bar === null) return;
  const chosen = boxes.filter((box) => box.checked).length;
  const isFull = chosen === boxes.length;
  if (whole !== null && wholeLabel !== null) {
    wholeLabel.hidden = !isFull;
    whole.checked &&= isFull;
  }
  const shown = whole?.checked === true ? (whole.dataset.total ?? '') : String(chosen);
  const words = bar.querySelector<HTMLElement>('[data-count]');
  if (words) words.textContent = (words.dataset.count ?? '').replace('{n}', shown);
  bar.hidden = chosen === 0;
}
