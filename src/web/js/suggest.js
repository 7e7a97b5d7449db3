// Suggestions while somebody types a search, or the number of an issue. `complete` is the address that completes the qualifier at the end of a search. Without a path there are no titles, and no numbers of results: a list has other filters, too.
function suggest(field, path, parameters, choose, complete) {
  let timer, request;
  const box = listBox(field, 'Suggestions', entry => {
    box.close();
    if (!entry.query) return choose(entry.result);
    field.value = /[:=]"?$/.test(entry.query) ? entry.query : entry.query + ' ';
    field.focus();
    load();
  });
  const ask = async (path, query, name) => {
    const address = new URL(path, location.href);
    for (const [name, value] of parameters()) address.searchParams.set(name, value);
    address.searchParams.set('q', query);
    address.searchParams.set('limit', '8');
    const response = await fetch(address, { signal: request.signal, headers: { Accept: 'application/json' } });
    return response.ok ? (await response.json())[name] : [];
  };
  const load = async () => {
    const words = field.value.trim();
    if (request) request.abort();
    if (words.length < 2) return box.close();
    request = new AbortController();
    try {
      // The end of the query may be a qualifier: then its values, and no titles.
      const isAtEnd = complete && field.selectionStart === field.value.length && /[\w":-]$/.test(field.value);
      const completions = isAtEnd ? await ask(complete, field.value, 'completions') : [];
      const hasValues = completions.length > 0 && completions[0].count !== undefined;
      const results = hasValues || !path ? [] : await ask(path, words, 'results');
      if (document.activeElement !== field) return box.close();
      const entries = completions.map(completion => ({
        label: completion.text,
        details: [completion.name, path && completion.count && (completion.count === 1 ? '1 result' : `${completion.count} results`)].filter(Boolean).join(' · '),
        query: completion.q,
      })).concat(results.map(result => ({
        label: result.type === 'wiki-page' ? result.title.replaceAll('_', ' ') : result.title,
        details: result.project ? result.project.name : '',
        result,
      })));
      box.show(entries.slice(0, 8), -1, ['suggestion', 'suggestions']);
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
findAll('form[data-complete]:not([data-suggest])').forEach(form => suggest(form.elements.q, '', () => [], () => {}, form.dataset.complete));
findAll('form[data-suggest]').forEach(form => suggest(form.elements.q, form.dataset.suggest, () => new FormData(form), openResult, form.dataset.complete));
// A field that names an issue takes the number and subject of the chosen one.
function suggestIssues(root) {
  findAll('input[data-suggest]', root).forEach(field => suggest(field, field.dataset.suggest, () => [], issue => { field.value = `#${issue.id} ${issue.title.replace(/^.*?: /, '')}`; if ('choose' in field.form.dataset) field.form.requestSubmit(); }));
}
suggestIssues(document);
