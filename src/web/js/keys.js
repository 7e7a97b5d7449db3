// Keys, each with what it does. Pages say with aria-keyshortcuts what they have; the question mark lists them.
const searchField = () => find('header input[type=search]') || find('main input[type=search]');
const shortcuts = [
  ['/', 'Search', () => { const field = searchField(); if (field) { field.focus(); field.select(); } return field; }],
  ['c', 'New issue', () => { const path = document.body.dataset.newIssue; if (path) location = path; return path; }],
  ['r', 'Comment on the issue', () => { const text = find('#update textarea'); text?.focus(); text?.scrollIntoView({ block: 'center' }); return text; }],
  ['s', 'Status', () => openFact('status_id')],
  ['a', 'Assignee', () => openFact('assigned_to_id')],
  ['p', 'Priority', () => openFact('priority_id')],
  ['v', 'Version', () => openFact('fixed_version_id')],
  ['i', 'Assign to me', () => { const link = find('#fact-assigned_to_id') || document.activeElement.closest('[data-issue]'); if (link) assignToMe(); return link; }],
  ['?', 'Keyboard shortcuts', showKeys],
];
const otherKeys = [['x e m', 'Select, edit, menu'], ['j k o', 'Next, previous, open'], ['e m u', 'Done, mute, read'], ['Ctrl K', 'Commands'], ['Ctrl Enter', 'Save'], ['@', 'Mention a person'], ['#', 'Link an issue']];
function showKeys() {
  const list = element('dl', {});
  for (const [keys, meaning] of [...shortcuts, ...otherKeys]) {
    list.append(element('dt', {}, ...keys.split(' ').flatMap(name => [element('kbd', {}, name), ' '])), element('dd', {}, meaning));
  }
  const form = element('form', { method: 'dialog' }, element('h2', { id: 'keys-heading' }, 'Keyboard shortcuts'), list, element('button', { className: 'btn' }, 'Close'));
  const dialog = element('dialog', { className: 'keys' }, form);
  dialog.setAttribute('aria-labelledby', 'keys-heading');
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
on('keydown', event => {
  if (event.defaultPrevented || isModified(event) || event.repeat) return;
  if (event.target.closest('input:not([type=checkbox], [type=radio]), textarea, select, dialog, .popover, [contenteditable]')) return;
  const shortcut = shortcuts.find(([key]) => key === event.key);
  if (shortcut && shortcut[2]()) event.preventDefault();
});
// Results, threads and rows: j and k go to the next and the previous one, o opens it.
on('keydown', event => {
  if (!'jko'.includes(event.key) || event.key.length !== 1 || isModified(event) || event.isComposing) return;
  if (event.target.closest('input:not([type=checkbox]), textarea, select, dialog, .popover, .row-menu, [contenteditable]')) return;
  const links = [...findAll('.hits h3 a, .inbox h2 a, table.issues td.subject > a')], focused = document.activeElement;
  const at = links.findIndex(link => link === focused || link.closest('tr')?.contains(focused));
  if (!links.length) return;
  if (event.key === 'o') { if (at >= 0) links[at].click(); else return; }
  else {
    const next = links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + (event.key === 'j' ? 1 : -1)))];
    next.focus();
    next.scrollIntoView({ block: 'nearest' });
  }
  event.preventDefault();
});
