// Submits a form or button with data-part in the background, and replaces that part of the page with the one in the response. Keeps scroll position and focus.
function hasUnsavedInput(part) {
  return [...part.querySelectorAll('form')].some(form => form.dataset.changed);
}
function showMessage(page) {
  const message = page.querySelector('section.flash'), before = document.querySelector('section.flash');
  if (before) before.remove();
  if (message) document.getElementById('main').before(document.importNode(message, true));
}
async function replacePart({ form, address, name, value, focus, id }) {
  const body = new URLSearchParams(new FormData(form));
  if (name) body.append(name, value);
  try {
    const response = await fetch(address, { method: 'POST', body, headers: { Accept: 'text/html' } });
    const page = parsePage(await response.text());
    const part = document.getElementById(id), next = page.getElementById(id);
    if (!response.ok || !next || hasUnsavedInput(part)) return location.reload();
    const added = document.importNode(next, true);
    part.replaceWith(added);
    if ('live' in added.dataset) replaceLive(page);
    showMessage(page);
    const target = (focus && [...added.querySelectorAll('[data-focus]')].find(item => item.dataset.focus === focus)) || added.querySelector('button, a') || added;
    target.focus({ preventScroll: true });
    updateRelativeTimes();
  } catch { location.reload(); }
}
document.addEventListener('submit', event => {
  const form = event.target, button = event.submitter, id = (button && button.dataset.part) || form.dataset.part;
  if (event.defaultPrevented || !id || !document.getElementById(id)) return;
  event.preventDefault();
  const address = button && button.hasAttribute('formaction') ? button.formAction : form.action;
  replacePart({ form, address, name: button && button.name, value: button && button.value, focus: button && button.dataset.focus, id });
});
