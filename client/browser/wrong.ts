/** Shows beside a field what is wrong with it, as the server does in a form that it refused, and goes there. */
export function showWrong(input: HTMLInputElement, text: string): void {
  clearWrong(input);
  const error = document.createElement('p');
  error.className = 'error';
  error.id = `${input.id}-error`;
  error.textContent = text;
  input.parentElement?.append(error);
  input.parentElement?.classList.add('wrong');
  input.setAttribute('aria-invalid', 'true');
  input.setAttribute('aria-errormessage', error.id);
  input.focus();
}

/** Takes back what was said of a field. */
export function clearWrong(input: HTMLInputElement): void {
  document.getElementById(`${input.id}-error`)?.remove();
  input.parentElement?.classList.remove('wrong');
  input.removeAttribute('aria-invalid');
  input.removeAttribute('aria-errormessage');
}
