// Suggestions: an ARIA combobox with a list box (WAI-ARIA Authoring Practices, "list autocomplete with manual selection").
function suggest(form) {
  const field = form.elements.q, list = document.createElement('ul');
  let timer, request, selected = -1, items = [];
  list.id = 'suggestions-' + Math.random().toString(36).slice(2);
  list.className = 'suggestions';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  list.hidden = true;
  field.parentElement.append(list);
  for (const [name, value] of [['role', 'combobox'], ['aria-autocomplete', 'list'], ['aria-controls', list.id], ['aria-expanded', 'false']]) field.setAttribute(name, value);

  const close = () => {
    clearTimeout(timer);
    if (request) request.abort();
    list.hidden = true; selected = -1; items = [];
    field.setAttribute('aria-expanded', 'false');
    field.removeAttribute('aria-activedescendant');
  };
  const select = index => {
    selected = index;
    [...list.children].forEach((item, at) => item.setAttribute('aria-selected', String(at === index)));
    const item = list.children[index];
    if (item) { field.setAttribute('aria-activedescendant', item.id); item.scrollIntoView({ block: 'nearest' }); }
    else field.removeAttribute('aria-activedescendant');
  };
  const show = results => {
    items = results.map(result => result.url ? new URL(result.url, location.href) : result.q);
    list.replaceChildren(...results.map((result, at) => {
      const item = document.createElement('li'), title = document.createElement('span'), where = document.createElement('small');
      item.id = list.id + '-' + at;
      item.setAttribute('role', 'option');
      item.setAttribute('aria-selected', 'false');
      title.textContent = result.text || (result.type === 'wiki-page' ? result.title.replaceAll('_', ' ') : result.title);
      where.textContent = result.text ? [result.name, result.count && (result.count === 1 ? '1 result' : `${result.count} results`)].filter(Boolean).join(' · ') : result.project ? result.project.name : '';
      item.append(title, where);
      item.addEventListener('mousedown', event => { event.preventDefault(); open(at); });
      return item;
    }));
    list.hidden = results.length === 0;
    field.setAttribute('aria-expanded', String(results.length > 0));
    select(-1);
  };
  // The path alone: the service may be reached at another address than the configured one.
  // A completion is a string: the query.
  const open = at => {
    const item = items[at];
    if (typeof item !== 'string') { location.href = item.pathname + item.search + item.hash; return; }
    field.value = item.endsWith(':') ? item : item + ' ';
    field.focus();
    load();
  };
  const ask = async (path, query, name) => {
    const address = new URL(path, location.href);
    for (const [field, value] of new FormData(form)) address.searchParams.set(field, value);
    address.searchParams.set('q', query);
    address.searchParams.set('limit', '8');
    const response = await fetch(address, { signal: request.signal, headers: { Accept: 'application/json' } });
    return response.ok ? (await response.json())[name] : [];
  };
  const load = async () => {
    const words = field.value.trim();
    if (request) request.abort();
    if (words.length < 2) return close();
    request = new AbortController();
    try {
      // The end of the query may be a qualifier: then its values, and no titles.
      const isAtEnd = field.selectionStart === field.value.length && /[\w":-]$/.test(field.value);
      const completions = form.dataset.complete && isAtEnd ? await ask(form.dataset.complete, field.value, 'completions') : [];
      const hasValues = completions.length > 0 && completions[0].count !== undefined;
      const titles = hasValues ? [] : await ask(form.dataset.suggest, words, 'results');
      if (document.activeElement === field) show([...completions, ...titles].slice(0, 8)); else close();
    } catch (error) { if (error.name !== 'AbortError') close(); }
  };
  field.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(load, 120); });
  field.addEventListener('blur', close);
  field.addEventListener('keydown', event => {
    if (list.hidden || event.isComposing) return;
    const count = list.children.length;
    if (event.key === 'ArrowDown') select((selected + 1) % count);
    else if (event.key === 'ArrowUp') select(selected <= 0 ? count - 1 : selected - 1);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && selected >= 0) open(selected);
    else return;
    event.preventDefault();
  });
}
document.querySelectorAll('form[data-suggest]').forEach(suggest);
