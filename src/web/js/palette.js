// Ctrl+K shows the page with the commands in a dialog. What is typed before it has arrived is kept, and so is Enter.
async function openPalette(link) {
  const open = find('.palette');
  if (open) return find('input:not([type=hidden])', open).focus();
  const field = element('input', { name: 'q', maxLength: 200, ariaLabel: 'Command', autocomplete: 'off', spellcheck: false }), form = element('form', {}, field);
  const dialog = element('dialog', { className: 'palette', ariaLabel: 'Commands' }, form);
  dialog.addEventListener('submit', event => {
    if (event.target !== form) return;
    event.preventDefault();
    dialog.dataset.entered = '1';
  });
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', event => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  try {
    const { page } = await loadPage(link.href), part = page.getElementById('palette');
    if (!dialog.isConnected) return;
    if (!part) throw new Error();
    // The field stays the same, so that whoever types in it notices nothing.
    form.setAttribute('action', find('form', part).getAttribute('action'));
    form.prepend(...[...findAll('form [name=from], form > .icon', part)].map(copyOf));
    field.placeholder = find('[name=q]', part).placeholder;
    dialog.append(copyOf(find('.commands', part)));
    if (window.prepareCommands) window.prepareCommands(dialog);
    else document.head.append(element('script', { src: find('script[src*="/commands."]', page).getAttribute('src') }));
  } catch (error) {
    if (!dialog.isConnected) return;
    dialog.close();
    showFailure(error.message || 'The commands cannot be shown.');
  }
}
on('click', event => {
  const link = event.target.closest('a[data-palette]');
  if (!link || isModified(event) || event.shiftKey) return;
  event.preventDefault();
  findAll('details.menu[open]').forEach(menu => { menu.open = false; });
  openPalette(link);
});
on('keydown', event => {
  if (event.defaultPrevented || event.key !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  event.preventDefault();
  openPalette(find('a[data-palette]'));
});
