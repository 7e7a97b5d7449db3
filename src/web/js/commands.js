// The commands of the palette: the server chooses them while somebody types; arrows move, Enter runs the selected one (WAI-ARIA Authoring Practices, "combobox").
window.prepareCommands = root => {
  const form = find('form', root), field = form.elements.q;
  let options = [], selected = 0, request, pending = null;
  const select = index => {
    selected = (index + options.length) % options.length;
    options.forEach((option, at) => option.setAttribute('aria-selected', String(at === selected)));
    field.setAttribute('aria-activedescendant', options[selected].id);
    options[selected].scrollIntoView({ block: 'nearest' });
  };
  const prepare = () => {
    const list = find('.commands', root), setAll = (selector, role) => findAll(selector, list).forEach(item => { item.setAttribute('role', role); });
    list.setAttribute('role', 'listbox');
    list.ariaLabel = 'Commands';
    setAll('section', 'group');
    setAll('h2, ul, li, form', 'presentation');
    setAll('a, button', 'option');
    options = [...findAll('a, button', list)];
    options.forEach((option, at) => { option.id = `command-${at}`; option.tabIndex = -1; });
    select(0);
    list.scrollTop = 0;
  };
  const load = async () => {
    request?.abort();
    request = new AbortController();
    const { page } = await loadPage(`${form.getAttribute('action')}?${new URLSearchParams(new FormData(form))}`, { signal: request.signal });
    const list = page.getElementById('commands');
    if (!list) return location.reload();
    find('.commands', root).replaceWith(copyOf(list));
    prepare();
  };
  const update = () => { pending = load().catch(error => { if (error.name !== 'AbortError') showFailure(error.message); }); };
  // A link that the page has, too, does what it does there: it may open a form below it.
  const run = async () => {
    await pending;
    const option = options[selected], twin = option.href && [...findAll('main a')].find(link => link.href === option.href && !root.contains(link));
    if (twin) root.close?.();
    (twin || option).click();
  };
  for (const [name, value] of Object.entries({ role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'commands', 'aria-autocomplete': 'list' })) field.setAttribute(name, value);
  field.addEventListener('input', update);
  field.addEventListener('keydown', event => {
    if (event.isComposing || isModified(event)) return;
    if (event.key === 'ArrowDown') select(selected + 1);
    else if (event.key === 'ArrowUp') select(selected - 1);
    else return;
    event.preventDefault();
  });
  form.addEventListener('submit', event => { event.preventDefault(); run(); });
  prepare();
  if (field.value !== field.defaultValue) update();
  if (root.dataset.entered) run();
};
findAll('dialog.palette, main > .palette').forEach(window.prepareCommands);
