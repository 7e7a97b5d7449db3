// The slash moves to the search box.
const box = document.querySelector('form.search-box');

document.addEventListener('keydown', event => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input, textarea, select, [contenteditable]')) return;
  const field = document.querySelector('main input[type=search]') || (box && box.elements.q);
  if (field) { event.preventDefault(); field.focus(); field.select(); }
});
