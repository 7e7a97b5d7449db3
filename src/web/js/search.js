// The search page: options act at once, j and k move through the results, and the last searches are remembered in this browser alone.
const searchForm = document.querySelector('form[data-recent]');
const recentPrefix = 'quarry-searches-';
function forgetSearches() {
  try { Object.keys(localStorage).filter(key => key.startsWith(recentPrefix)).forEach(key => localStorage.removeItem(key)); } catch { /* Storage is off. */ }
}
document.addEventListener('submit', event => { if (event.target.getAttribute('action') === '/logout') forgetSearches(); });

if (searchForm) {
  const key = recentPrefix + searchForm.dataset.recent, field = searchForm.elements.q, box = document.getElementById('recent');
  searchForm.addEventListener('change', event => { if (event.target !== field) searchForm.requestSubmit(); });
  let recent = [];
  try { recent = JSON.parse(localStorage.getItem(key)) || []; } catch { /* Storage is off, or holds something else. */ }
  if (!Array.isArray(recent)) recent = [];
  recent = recent.filter(query => typeof query === 'string');
  const typed = field.defaultValue.trim();
  if (typed && typed.length <= 200 && document.querySelector('.hits')) {
    recent = [typed, ...recent.filter(query => query !== typed)].slice(0, 8);
    try { localStorage.setItem(key, JSON.stringify(recent)); } catch { /* Storage is full or off. */ }
  }
  if (box && recent.length) {
    box.querySelector('ul').replaceChildren(...recent.map(query => {
      const item = document.createElement('li'), link = document.createElement('a');
      link.href = searchForm.getAttribute('action') + '?q=' + encodeURIComponent(query);
      link.textContent = query;
      item.append(link);
      return item;
    }));
    box.querySelector('button').addEventListener('click', () => { forgetSearches(); box.hidden = true; field.focus(); });
    box.hidden = false;
  }
}

document.addEventListener('keydown', event => {
  if (!'jko'.includes(event.key) || event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest('input, textarea, select, [contenteditable]')) return;
  const links = [...document.querySelectorAll('.hits h3 a')], at = links.indexOf(document.activeElement);
  if (!links.length) return;
  if (event.key === 'o') { if (at >= 0) links[at].click(); else return; }
  else {
    const next = links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + (event.key === 'j' ? 1 : -1)))];
    next.focus();
    next.scrollIntoView({ block: 'nearest' });
  }
  event.preventDefault();
});
