// Suggestions: an ARIA combobox with a list box (WAI-ARIA Authoring Practices, "list autocomplete with manual selection").
function suggest(field, path, parameters, choose) {
  const list = document.createElement('ul');
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
    items = results;
    list.replaceChildren(...results.map((result, at) => {
      const item = document.createElement('li'), title = document.createElement('span'), where = document.createElement('small');
      item.id = list.id + '-' + at;
      item.setAttribute('role', 'option');
      item.setAttribute('aria-selected', 'false');
      title.textContent = result.type === 'wiki-page' ? result.title.replaceAll('_', ' ') : result.title;
      where.textContent = result.project ? result.project.name : '';
      item.append(title, where);
      item.addEventListener('mousedown', event => { event.preventDefault(); open(at); });
      return item;
    }));
    list.hidden = results.length === 0;
    field.setAttribute('aria-expanded', String(results.length > 0));
    select(-1);
  };
  const open = at => { const item = items[at]; close(); choose(item); };
  const load = async () => {
    const words = field.value.trim();
    if (request) request.abort();
    if (words.length < 2) return close();
    request = new AbortController();
    try {
      const address = new URL(path, location.href);
      for (const [name, value] of parameters()) address.searchParams.set(name, value);
      address.searchParams.set('q', words);
      address.searchParams.set('limit', '8');
      const response = await fetch(address, { signal: request.signal, headers: { Accept: 'application/json' } });
      if (response.ok && document.activeElement === field) show((await response.json()).results); else close();
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
// The path alone: the service may be reached at another address than the configured one.
function openResult(result) {
  const address = new URL(result.url, location.href);
  location.href = address.pathname + address.search + address.hash;
}
document.querySelectorAll('form[data-suggest]').forEach(form => suggest(form.elements.q, form.dataset.suggest, () => new FormData(form), openResult));
// A field that names an issue takes the number and subject of the chosen one.
function suggestIssues(root) {
  root.querySelectorAll('input[data-suggest]').forEach(field => suggest(field, field.dataset.suggest, () => [], issue => { field.value = `#${issue.id} ${issue.title.replace(/^.*?: /, '')}`; }));
}
suggestIssues(document);
