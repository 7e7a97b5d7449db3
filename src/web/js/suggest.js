// Suggestions while somebody types a search, or the number of an issue.
function suggest(field, path, parameters, choose) {
  let timer, request;
  const box = listBox(field, 'Suggestions', entry => { box.close(); choose(entry.result); });
  const load = async () => {
    const words = field.value.trim();
    if (request) request.abort();
    if (words.length < 2) return box.close();
    request = new AbortController();
    try {
      const address = new URL(path, location.href);
      for (const [name, value] of parameters()) address.searchParams.set(name, value);
      address.searchParams.set('q', words);
      address.searchParams.set('limit', '8');
      const response = await fetch(address, { signal: request.signal, headers: { Accept: 'application/json' } });
      if (!response.ok || document.activeElement !== field) return box.close();
      const entries = (await response.json()).results.map(result => ({
        label: result.type === 'wiki-page' ? result.title.replaceAll('_', ' ') : result.title,
        details: result.project ? result.project.name : '',
        result,
      }));
      box.show(entries, -1, ['suggestion', 'suggestions']);
    } catch (error) { if (error.name !== 'AbortError') box.close(); }
  };
  field.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(load, 120); });
  field.addEventListener('blur', () => { clearTimeout(timer); if (request) request.abort(); });
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
