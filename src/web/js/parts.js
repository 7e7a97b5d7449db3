// Submits a form or button with data-part in the background, and replaces that part of the page with the one in the response. Keeps scroll position and focus.
function hasUnsavedInput(part) {
  return [...part.querySelectorAll('form')].some(form => form.dataset.changed);
}
function showMessage(page) {
  const message = find('section.flash', page), before = find('section.flash');
  if (before) before.remove();
  if (message) byId('main').before(copyOf(message));
}
function showFailure(text) {
  const before = find('section.flash');
  if (before) before.remove();
  byId('main').before(element('section', { className: 'flash', ariaLabel: 'Message' }, failureNotice(text)));
}
// Without a network, a form stays as it is: the browser would show a page of its own instead. A server on this machine answers all the same.
document.addEventListener('submit', async event => {
  const form = event.target;
  if (navigator.onLine !== false || form.method !== 'post' || form.dataset.reachable) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  try {
    await fetch(location.href, { method: 'HEAD', cache: 'no-store' });
    form.dataset.reachable = '1';
    form.requestSubmit(event.submitter);
  } catch { showFailure('The server cannot be reached. Nothing was sent; try again later.'); }
  delete form.dataset.reachable;
}, true);
// Returns whether the part was replaced. After a failure the page stays as it is, and says so.
async function replacePart({ form, address, name, value, focus, id }) {
  const body = new URLSearchParams(new FormData(form));
  if (name) body.append(name, value);
  try {
    const { response, page } = await loadPage(address, { method: 'POST', body });
    const part = byId(id), next = page.getElementById(id);
    if (!response.ok && response.status !== 401) { showFailure(failureOf({ response, page })); return false; }
    if (!next || hasUnsavedInput(part)) { location.reload(); return true; }
    replaceWithNew(part, next);
    if ('live' in next.dataset) replaceLive(page);
    const added = byId(id);
    showMessage(page);
    const target = (focus && [...added.querySelectorAll('[data-focus]')].find(item => item.dataset.focus === focus)) || find('button, a', added) || added;
    target.focus({ preventScroll: true });
    updateRelativeTimes();
    return true;
  } catch (error) {
    if (error !== unreachable) { location.reload(); return true; }
    showFailure(error.message);
    return false;
  }
}
on('submit', event => {
  const form = event.target, button = event.submitter, id = (button && button.dataset.part) || form.dataset.part;
  if (event.defaultPrevented || !id || !byId(id)) return;
  event.preventDefault();
  const address = button && button.hasAttribute('formaction') ? button.formAction : form.action;
  replacePart({ form, address, name: button && button.name, value: button && button.value, focus: button && button.dataset.focus, id });
});
