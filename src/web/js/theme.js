// The theme changes at once; the form stores the choice, even if another page is opened at once.
findAll('form.themes').forEach(form => form.addEventListener('submit', event => {
  const button = event.submitter;
  if (!button) return;
  event.preventDefault();
  const data = new URLSearchParams(new FormData(form)), theme = button.value, root = document.documentElement;
  data.set('theme', theme);
  if (theme === 'auto') delete root.dataset.theme; else root.dataset.theme = theme;
  findAll('button', form).forEach(other => { other.ariaPressed = other === button; });
  fetch(form.action, { method: 'POST', body: data, redirect: 'manual', keepalive: true });
}));
