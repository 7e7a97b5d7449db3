// A list box under a field, whose keys stay in the field (WAI-ARIA Authoring Practices, "list autocomplete"). A live region says how many entries there are.
// One that stays is no list of suggestions: it is open as long as its field is there.
function listBox(field, name, choose, stays) {
  const list = element('ul', { id: `list-${findAll('[role=listbox]').length}`, className: 'suggestions', role: 'listbox', ariaLabel: name, hidden: true });
  const status = element('span', { className: 'visually-hidden', role: 'status' }), isInput = field.matches('input');
  let entries = [], selected = -1;
  field.after(list, status);
  // A text area cannot be a combobox.
  const attributes = isInput ? { role: 'combobox', 'aria-expanded': 'false' } : { 'aria-haspopup': 'listbox', autocomplete: 'off' };
  for (const [key, value] of Object.entries({ ...attributes, 'aria-autocomplete': 'list', 'aria-controls': list.id })) field.setAttribute(key, value);
  const select = index => {
    selected = index;
    [...list.children].forEach((item, at) => item.setAttribute('aria-selected', String(at === index)));
    const item = list.children[index];
    if (item) { field.setAttribute('aria-activedescendant', item.id); item.scrollIntoView({ block: 'nearest' }); }
    else field.removeAttribute('aria-activedescendant');
  };
  const setEntries = (found, first, message) => {
    entries = found;
    list.replaceChildren(...found.map((entry, at) => {
      const item = element('li', { id: `${list.id}-${at}`, role: 'option', className: entry.className || '' }, element('span', {}, entry.label), element('small', {}, entry.details));
      item.addEventListener('mousedown', event => { event.preventDefault(); choose(entry); });
      return item;
    }));
    list.hidden = !found.length;
    status.textContent = message;
    if (isInput) field.setAttribute('aria-expanded', String(!list.hidden));
    select(first);
  };
  const close = () => { if (!list.hidden && !stays) setEntries([], -1, ''); };
  field.addEventListener('blur', close);
  field.addEventListener('keydown', event => {
    if (list.hidden || event.isComposing || isModified(event)) return;
    if (event.key === 'ArrowDown') select((selected + 1) % entries.length);
    else if (event.key === 'ArrowUp') select(selected <= 0 ? entries.length - 1 : selected - 1);
    else if (event.key === 'Escape' && !stays) close();
    else if (selected >= 0 && (event.key === 'Enter' || (event.key === 'Tab' && !isInput))) choose(entries[selected]);
    else return;
    event.preventDefault();
  });
  return { list, close, show: (found, first, noun) => setEntries(found, first, `${found.length} ${noun[Number(found.length !== 1)]}`) };
}
