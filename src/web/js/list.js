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
