// The theme changes at once; the form stores the choice.
findAll('form.themes').forEach(form => form.addEventListener('submit', event => {
  const button = event.submitter;
  if (!button) return;
  event.preventDefault();
  const data = new URLSearchParams(new FormData(form));
  data.set('theme', button.value);
  if (button.value === 'auto') delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = button.value;
  findAll('button', form).forEach(other => other.setAttribute('aria-pressed', String(other === button)));
  fetch(form.action, { method: 'POST', body: data, redirect: 'manual' });
}));
