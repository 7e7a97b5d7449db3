// The rows of a list of issues, on pages that have one. Shift selects a range, x the row with the focus, the box in the head all; the bar says how many; e edits them.
let lastSelected = null;
const selectAll = find('[data-select-all]');
if (selectAll) selectAll.hidden = false;
function selectable() { return [...findAll('input[name="ids[]"][form=bulk]')]; }
function countSelected() {
  const label = find('#bulk [data-count]'), all = find('#bulk [name=all]');
  const boxes = selectable(), count = boxes.filter(box => box.checked).length;
  if (selectAll) {
    selectAll.checked = count === boxes.length;
    selectAll.indeterminate = count > 0 && count < boxes.length;
  }
  const selected = all && all.checked ? `all=1&${all.form.action.split('?')[1]}` : `ids=${boxes.filter(box => box.checked).map(box => box.value)}`;
  findAll('#bulk [data-choice]').forEach(button => {
    button.dataset.choice = `${button.dataset.choice.split('&')[0]}&${selected}&back_url=${encodeURIComponent(button.form.back_url.value)}`;
  });
  if (label) label.textContent = all && all.checked ? 'All selected' : count === 1 ? '1 issue selected' : `${count} issues selected`;
}
on('click', event => {
  const box = event.target;
  if (box === selectAll) selectable().forEach(other => { other.checked = box.checked; });
  else if (box.matches('#bulk [name=all]')) return countSelected();
  else if (!box.matches('input[form=bulk]')) return;
  else if (event.shiftKey && lastSelected) {
    const boxes = selectable();
    const ends = [boxes.indexOf(lastSelected), boxes.indexOf(box)].sort((a, b) => a - b);
    boxes.slice(ends[0], ends[1] + 1).forEach(other => { other.checked = box.checked; });
  }
  lastSelected = box === selectAll ? null : box;
  countSelected();
});
on('rowschange', countSelected);
on('reset', event => { if (event.target.id === 'bulk') setTimeout(countSelected); });
on('keydown', event => {
  const row = !isModified(event) && document.activeElement.matches('table.issues a, table.issues input') && document.activeElement.closest('tr');
  const box = row && find('input[form=bulk]', row), edit = find('#bulk [value=edit]');
  if (!box) return;
  if (event.key === 'x') box.click();
  if (event.key !== 'e' || !edit) return;
  if (!selectable().some(other => other.checked)) box.click();
  edit.click();
});
// The menu of a row: with the right button outside a link, a long press, or the key m.
const rowFields = [['status_id', 'Status'], ['assigned_to_id', 'Assignee'], ['priority_id', 'Priority'], ['fixed_version_id', 'Version'], ['due_date', 'Due date']];
function openRowMenu(row, x, y) {
  const path = row.dataset.issue, { mayLog } = find('table.issues').dataset;
  const items = [['Open', () => { location = path; }]];
  if (navigator.clipboard) items.push(['Copy link', () => navigator.clipboard.writeText(new URL(path, location).href).catch(error => showFailure(error.message))]);
  if (mayLog) items.push(['Log time', () => openPopover(row, `${path}/time_entries/new`)]);
  if (find('[data-choice]', row)) rowFields.forEach(([field, name]) => items.push([`${name} …`, () => openPopover(row, `${path}/edit?field=${field}`)]));
  const menu = element('div', { className: 'row-menu', popover: 'auto', role: 'menu', ariaLabel: `Menu of #${path.split('/').pop()}` });
  menu.append(...items.map(([label, act]) => {
    const item = element('button', { type: 'button', role: 'menuitem' }, label);
    item.addEventListener('click', () => { menu.hidePopover(); act(); });
    return item;
  }));
  menu.addEventListener('toggle', event => { if (event.newState === 'closed') menu.remove(); });
  menu.addEventListener('keydown', event => {
    const buttons = [...menu.children], step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    buttons.at((buttons.indexOf(document.activeElement) + step) % buttons.length).focus();
  });
  byId('main').append(menu);
  menu.showPopover();
  menu.style.left = `${Math.max(8, Math.min(x, document.documentElement.clientWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(y, innerHeight - menu.offsetHeight - 8))}px`;
  menu.firstChild.focus();
}
on('contextmenu', event => {
  const row = event.target.closest('tr[data-issue]');
  if (!row || event.target.closest('a, input') || String(getSelection())) return;
  event.preventDefault();
  openRowMenu(row, event.clientX, event.clientY);
});
on('keydown', event => {
  const link = document.activeElement, row = event.key === 'm' && !isModified(event) && link.matches('tr[data-issue] a') && link.closest('tr');
  if (!row) return;
  event.preventDefault();
  const at = link.getBoundingClientRect();
  openRowMenu(row, at.left, at.bottom + 4);
});
