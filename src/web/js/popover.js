// A link with data-popover shows the form of its page beside it. Saving replaces the parts of the page that are marked with data-live, and keeps scroll position and focus.
let popover = null;
// Long texts that were typed and not saved, by the id of their link.
const keptBoxes = new Map();
function parsePage(text) { return new DOMParser().parseFromString(text, 'text/html'); }
function replaceLive(page) {
  document.querySelectorAll('[data-live]').forEach(part => {
    const next = page.getElementById(part.id);
    if (next && !hasUnsavedInput(part)) part.replaceWith(document.importNode(next, true));
  });
  // The comment box gets the new values, unless somebody has begun to write in it: then the server merges.
  const form = document.getElementById('update'), next = page.getElementById('update');
  if (form && next && !form.dataset.changed) {
    form.querySelectorAll('select, input[type=hidden]').forEach(field => {
      const value = next.elements.namedItem(field.name);
      if (value && value.tagName) field.replaceWith(document.importNode(value, true));
    });
  }
  updateRelativeTimes();
}
function closePopover(isFocused) {
  if (!popover) return;
  const { box, link } = popover;
  popover = null;
  if (box.dataset.changed && box.querySelector('textarea')) keptBoxes.set(link.id, box); else keptBoxes.delete(link.id);
  box.remove();
  if (isFocused) (document.getElementById(link.id) || link).focus({ preventScroll: true });
}
function fillPopover(page) {
  const { box } = popover, form = document.importNode(page.querySelector('main form.form'), true), title = document.createElement('h2');
  title.textContent = page.querySelector('h1').textContent;
  box.setAttribute('aria-label', title.textContent);
  box.replaceChildren(title, form);
  suggestIssues(box);
  box.querySelectorAll('.editor[data-preview]').forEach(prepareEditor);
  placePopover();
}
function placePopover() {
  const { box, link } = popover, at = link.getBoundingClientRect();
  box.style.maxHeight = '';
  box.style.left = `${Math.max(8, Math.min(at.left, document.documentElement.clientWidth - box.offsetWidth - 16))}px`;
  box.style.top = `${Math.max(8, Math.min(at.bottom + 6, innerHeight - box.offsetHeight - 8))}px`;
  box.style.maxHeight = `${innerHeight - box.offsetTop - 8}px`;
  (box.querySelector('[aria-invalid]') || box.querySelector('[autofocus]') || box.querySelector('select, textarea, input:not([type=hidden])') || box.querySelector('button')).focus();
}
async function openPopover(link) {
  closePopover(false);
  if (keptBoxes.has(link.id)) {
    popover = { box: keptBoxes.get(link.id), link };
    document.getElementById('main').append(popover.box);
    popover.box.showPopover();
    return placePopover();
  }
  try {
    const response = await fetch(link.href, { headers: { Accept: 'text/html' } }), page = parsePage(await response.text());
    if (!response.ok || !page.querySelector('main form.form')) throw new Error();
    closePopover(false);
    const box = document.createElement('div');
    popover = { box, link };
    box.className = 'popover';
    box.popover = 'manual';
    box.setAttribute('role', 'dialog');
    box.addEventListener('input', () => { box.dataset.changed = '1'; });
    document.getElementById('main').append(box);
    box.showPopover();
    fillPopover(page);
  } catch { location.href = link.href; }
}
async function sendPopover(form, button) {
  const body = new URLSearchParams(new FormData(form));
  if (button && button.name) body.append(button.name, button.value);
  const response = await fetch(form.action, { method: 'POST', body, headers: { Accept: 'text/html' } }), page = parsePage(await response.text());
  if (!popover) return;
  if (response.redirected && page.getElementById('facts')) { delete popover.box.dataset.changed; replaceLive(page); closePopover(true); }
  else if (!response.redirected && page.querySelector('main form.form')) fillPopover(page);
  else location.href = response.url;
}
document.addEventListener('click', event => {
  const link = event.target.closest('a[data-popover]');
  if (link && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)) { event.preventDefault(); openPopover(link); return; }
  if (!popover) return;
  if (!popover.box.contains(event.target)) { if (!popover.box.dataset.changed) closePopover(false); }
  else if (event.target.closest('.actions a')) { event.preventDefault(); closePopover(true); }
});
document.addEventListener('keydown', event => {
  if (event.key === 'Escape' && popover && !event.defaultPrevented) { event.preventDefault(); closePopover(true); }
});
document.addEventListener('submit', event => {
  const form = event.target;
  if (!popover || !popover.box.contains(form)) return;
  event.preventDefault();
  sendPopover(form, event.submitter).catch(() => form.submit());
});
