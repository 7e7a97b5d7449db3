// A form with text that was typed and not sent warns before the page is left.
findAll('form[data-warn-unsaved]').forEach(form => {
  form.addEventListener('input', () => { form.dataset.changed = '1'; });
  form.addEventListener('submit', () => { delete form.dataset.changed; });
  addEventListener('beforeunload', event => { if (form.dataset.changed && form.isConnected) event.preventDefault(); });
});
