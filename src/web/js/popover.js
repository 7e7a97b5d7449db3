// A link with data-popover shows the form of its page beside it. Saving replaces the parts of the page that are marked with data-live, and keeps scroll position and focus.
let popover = null;
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
  box.remove();
  if (isFocused) (document.getElementById(link.id) || link).focus({ preventScroll: true });
}
function fillPopover(page) {
  const { box, link } = popover, form = document.importNode(page.querySelector('main form.form'), true), title = document.createElement('h2');
  title.textContent = page.querySelector('h1').textContent;
  box.setAttribute('aria-label', title.textContent);
  box.replaceChildren(title, form);
  suggestIssues(box);
  box.querySelectorAll('.editor[data-preview]').forEach(prepareEditor);
  const at = link.getBoundingClientRect();
  box.style.left = `${Math.max(8, Math.min(at.left, document.documentElement.clientWidth - box.offsetWidth - 16))}px`;
  box.style.top = `${Math.max(8, Math.min(at.bottom + 6, innerHeight - box.offsetHeight - 8))}px`;
  (box.querySelector('[aria-invalid]') || box.querySelector('[autofocus]') || form.querySelector('select, textarea, input:not([type=hidden])') || form.querySelector('button')).focus();
}
async function openPopover(link) {
  closePopover(false);
  try {
    const response = await fetch(link.href, { headers: { Accept: 'text/html' } }), page = parsePage(await response.text());
    if (!response.ok || !page.querySelector('main form.form')) throw new Error();
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
  if (response.redirected && page.getElementById('facts')) { replaceLive(page); closePopover(true); }
  else if (!response.redirected && page.querySelector('main form.form [aria-invalid], main form.form [role=alert]')) fillPopover(page);
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
