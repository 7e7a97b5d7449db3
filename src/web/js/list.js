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
