// The form of one fact, shown below it, saves with the choice. A list of values has a search field; its first nine values have the keys 1 to 9.
const folded = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
function offerChoices(form) {
  if (!('choose' in form.dataset)) return;
  const control = find('select, .switch input[type=checkbox], input[type=date]', form);
  if (!control) return;
  if (control.type === 'checkbox') control.addEventListener('change', () => form.requestSubmit());
  else if (control.type === 'date') offerDays(form, control);
  else offerValues(form, control);
}
function offerValues(form, select) {
  const options = [...select.options], label = find('label', form), name = label.textContent.trim();
  const search = element('input', { type: 'search', id: 'choice', autocomplete: 'off', autofocus: true, placeholder: 'Search' });
  const hasKeys = options.length < 10 && !options.some(option => /\d/.test(option.text));
  const choose = option => {
    if (option.selected && option.defaultSelected && !select.ariaInvalid) return closePopover(true);
    option.selected = true;
    form.requestSubmit();
  };
  select.before(search);
  const box = listBox(search, name, entry => choose(entry.option), true);
  const show = () => {
    const words = folded(search.value).split(/\s+/), all = !search.value.trim();
    const entries = options.filter(option => words.every(word => folded(option.text).includes(word))).slice(0, 200)
      .map(option => ({ option, label: option.text, details: all && hasKeys ? String(options.indexOf(option) + 1) : '', className: option.defaultSelected ? 'current' : '' }));
    box.show(entries, all ? Math.max(0, options.findIndex(option => option.defaultSelected)) : 0, ['choice', 'choices']);
  };
  search.addEventListener('input', show);
  search.addEventListener('keydown', event => {
    const option = hasKeys && !search.value && !isModified(event) && options[Number(event.key) - 1];
    if (event.key === 'Enter') event.preventDefault();
    if (option) { event.preventDefault(); choose(option); }
  });
  search.setAttribute('aria-describedby', select.getAttribute('aria-describedby') || '');
  label.htmlFor = search.id;
  label.classList.add('visually-hidden');
  select.hidden = true;
  select.autofocus = false;
  find('.actions', form).remove();
  show();
}
// A day of the calendar, or of the list, is chosen; one that is typed is saved with Enter.
function offerDays(form, field) {
  const days = element('div', { className: 'days' }), send = value => { field.value = value; form.requestSubmit(); };
  let isTyped = false;
  field.addEventListener('keydown', () => { isTyped = true; });
  field.addEventListener('change', () => { if (!isTyped) form.requestSubmit(); });
  for (const day of field.list?.options || []) {
    const button = element('button', { type: 'button', className: 'btn' }, day.label);
    button.addEventListener('click', () => send(day.value));
    days.append(button);
  }
  field.removeAttribute('list');
  field.after(days);
}
