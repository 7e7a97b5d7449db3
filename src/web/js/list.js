// Lists: a choice that leads on does so at once, the form of a filter shows what its operator needs, and columns move without a request.
on('change', event => {
  const control = event.target;
  if (control.matches('select[data-submit]') && control.value) control.form.requestSubmit();
  if (control.matches('select[data-needs]')) showOperands(control);
});
function showOperands(select) {
  const needs = select.selectedOptions[0].dataset.needs;
  findAll('[data-for]', select.form).forEach(part => { part.hidden = !part.dataset.for.split(' ').includes(needs); });
}
findAll('select[data-needs]').forEach(showOperands);
on('click', event => {
  const button = event.target.closest('.sortable button');
  if (!button) return;
  event.preventDefault();
  const item = button.closest('li');
  if (button.name.endsWith('[up]')) { if (item.previousElementSibling) item.previousElementSibling.before(item); }
  else if (item.nextElementSibling) item.nextElementSibling.after(item);
  button.focus();
});
// A search within a form narrows the choices of the form while somebody types.
on('input', event => {
  const field = event.target, form = field.form, words = field.value, id = field.dataset.narrows;
  if (id) setTimeout(async () => {
    if (words !== field.value) return;
    const body = new URLSearchParams(new FormData(form));
    body.append('do', 'search');
    try {
      const { page } = await loadPage(form.action, { method: 'POST', body });
      if (words === field.value) byId(id).replaceWith(copyOf(page.getElementById(id)));
    } catch { /* The button searches, too. */ }
  }, 300);
});
// Rows: shift selects a range, x the row with the focus, the box in the head all; the bar says how many; e edits them.
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
