// Suggestions while somebody types a search.
function suggest(form) {
  const field = form.elements.q;
  let timer, request;
  // The path alone: the service may be reached at another address than the configured one.
  const box = listBox(field, 'Suggestions', ({ url }) => { location.href = url.pathname + url.search + url.hash; });
  const load = async () => {
    const words = field.value.trim();
    if (request) request.abort();
    if (words.length < 2) return box.close();
    request = new AbortController();
    try {
      const address = new URL(form.dataset.suggest, location.href);
      for (const [name, value] of new FormData(form)) address.searchParams.set(name, value);
      address.searchParams.set('q', words);
      address.searchParams.set('limit', '8');
      const response = await fetch(address, { signal: request.signal, headers: { Accept: 'application/json' } });
      if (!response.ok || document.activeElement !== field) return box.close();
      const entries = (await response.json()).results.map(result => ({
        label: result.type === 'wiki-page' ? result.title.replaceAll('_', ' ') : result.title,
        details: result.project ? result.project.name : '',
        url: new URL(result.url, location.href),
      }));
      box.show(entries, -1, ['suggestion', 'suggestions']);
    } catch (error) { if (error.name !== 'AbortError') box.close(); }
  };
  field.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(load, 120); });
  field.addEventListener('blur', () => { clearTimeout(timer); if (request) request.abort(); });
}
document.querySelectorAll('form[data-suggest]').forEach(suggest);
