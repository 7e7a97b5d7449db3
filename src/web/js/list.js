// Lists: a choice that leads on does so at once, the form of a filter shows what its operator needs, and columns move without a request.
document.addEventListener('change', event => {
  const control = event.target;
  if (control.matches('select[data-submit]') && control.value) control.form.requestSubmit();
  if (control.matches('select[data-needs]')) showOperands(control);
});
function showOperands(select) {
  const needs = select.selectedOptions[0].dataset.needs;
  select.form.querySelectorAll('[data-for]').forEach(part => { part.hidden = !part.dataset.for.split(' ').includes(needs); });
}
document.querySelectorAll('select[data-needs]').forEach(showOperands);
document.addEventListener('click', event => {
  const button = event.target.closest('.sortable button');
  if (!button) return;
  event.preventDefault();
  const item = button.closest('li');
  if (button.name.endsWith('[up]')) { if (item.previousElementSibling) item.previousElementSibling.before(item); }
  else if (item.nextElementSibling) item.nextElementSibling.after(item);
  button.focus();
});
// Rows: shift selects a range, x the row with the focus, the box in the head all; the bar says how many.
let lastSelected = null;
const selectAll = document.querySelector('[data-select-all]');
if (selectAll) selectAll.hidden = false;
function selectable() { return [...document.querySelectorAll('input[name="ids[]"][form=bulk]')]; }
function countSelected() {
  const label = document.querySelector('#bulk [data-count]'), all = document.querySelector('#bulk [name=all]');
  const boxes = selectable(), count = boxes.filter(box => box.checked).length;
  if (selectAll) {
    selectAll.checked = count === boxes.length;
    selectAll.indeterminate = count > 0 && count < boxes.length;
  }
  if (label) label.textContent = all && all.checked ? 'All selected:' : count === 1 ? '1 issue selected:' : `${count} issues selected:`;
}
document.addEventListener('click', event => {
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
document.addEventListener('keydown', event => {
  const row = event.key === 'x' && !event.ctrlKey && !event.metaKey && !event.altKey && document.activeElement.matches('table.issues a') && document.activeElement.closest('tr');
  if (row) row.querySelector('input[form=bulk]').click();
});
