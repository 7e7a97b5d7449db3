// Buttons that copy the text of the element whose id they have.
function copyWithSelection(text) {
  // Without TLS there is no clipboard, but a selection can be copied.
  const field = element('textarea', { value: text, className: 'visually-hidden' });
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
}
async function copyText(text) {
  try { await navigator.clipboard.writeText(text); return true; } catch { return copyWithSelection(text); }
}
on('click', async event => {
  const button = event.target.closest('[data-copy]');
  if (!button) return;
  const source = byId(button.dataset.copy), label = button.dataset.label ||= button.textContent;
  const isCopied = await copyText(source.value ?? source.innerText.trim());
  button.focus();
  button.textContent = isCopied ? 'Copied' : 'Not copied: select it';
  setTimeout(() => { button.textContent = label; }, 2000);
});
findAll('[data-copy]').forEach(button => button.classList.add('ready'));
