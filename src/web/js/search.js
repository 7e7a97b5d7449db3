// The search page: options act at once, and the last searches are remembered in this browser alone.
const searchForm = find('form[data-recent]');
const recentPrefix = 'quarry-searches-';

if (searchForm) {
  const key = recentPrefix + searchForm.dataset.recent, field = searchForm.elements.q, box = byId('recent');
  searchForm.addEventListener('change', event => { if (event.target !== field) searchForm.requestSubmit(); });
  let recent = [];
  try { recent = JSON.parse(localStorage.getItem(key)).filter(query => typeof query === 'string'); } catch { /* None, or storage is off. */ }
  const typed = field.defaultValue.trim();
  if (typed && typed.length <= 200 && find('.hits')) {
    recent = [typed, ...recent.filter(query => query !== typed)].slice(0, 8);
    try { localStorage.setItem(key, JSON.stringify(recent)); } catch { /* Storage is full or off. */ }
  }
  if (box && recent.length) {
    find('ul', box).replaceChildren(...recent.map(query => {
      const href = `${searchForm.getAttribute('action')}?q=${encodeURIComponent(query)}`;
      return element('li', {}, element('a', { href }, query));
    }));
    find('button', box).addEventListener('click', () => { forget(recentPrefix); box.hidden = true; field.focus(); });
    box.hidden = false;
  }
}
