// Forms and buttons that name a part of the page are sent in the background. The normal answer has the same part, which replaces that of the page; focus and scroll stay.
function hasTyped(part) {
  return [...part.querySelectorAll('form')].some(form => form.dataset.changed);
}
function showMessage(page) {
  const message = page.querySelector('section.flash'), before = document.querySelector('section.flash');
  if (before) before.remove();
  if (message) document.getElementById('main').before(document.importNode(message, true));
}
async function replacePart(form, button, id) {
  const key = button && button.dataset.focus, body = new URLSearchParams(new FormData(form));
  if (button && button.name) body.append(button.name, button.value);
  const address = button && button.hasAttribute('formaction') ? button.formAction : form.action;
  try {
    const response = await fetch(address, { method: 'POST', body, headers: { Accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const part = document.getElementById(id), next = page.getElementById(id);
    if (!response.ok || !next || hasTyped(part)) return location.reload();
    const added = document.importNode(next, true);
    part.replaceWith(added);
    showMessage(page);
    const place = (key && [...added.querySelectorAll('[data-focus]')].find(item => item.dataset.focus === key)) || added.querySelector('button, a') || added;
    place.focus({ preventScroll: true });
    tell();
  } catch { location.reload(); }
}
document.addEventListener('submit', event => {
  const form = event.target, button = event.submitter, id = (button && button.dataset.part) || form.dataset.part;
  if (event.defaultPrevented || !id || !document.getElementById(id)) return;
  event.preventDefault();
  replacePart(form, button, id);
});
