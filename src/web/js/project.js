// The identifier of a new project follows its name until somebody types another one.
findAll('form[action$="/projects/new"]').forEach(form => {
  const name = form.elements['project[name]'], identifier = form.elements['project[identifier]'];
  const suggestion = text => text.normalize('NFKD').toLowerCase().replaceAll('ß', 'ss').replace(/\p{M}/gu, '').replace(/[^a-z0-9_]+/g, '-').replace(/^[-0-9]+|-+$/g, '').slice(0, 100);
  let last = suggestion(name.value);
  name.addEventListener('input', () => {
    const next = suggestion(name.value);
    if (identifier.value === '' || identifier.value === last) identifier.value = next;
    last = next;
  });
});
