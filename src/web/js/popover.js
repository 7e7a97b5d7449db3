// A link with data-popover shows the form of its page beside it. Saving replaces the parts of the page that are marked with data-live, and keeps scroll position and focus.
let popover = null;
// Long texts that were typed and not saved, by the id of their link.
const keptBoxes = new Map();
function replaceLive(page) {
  findAll('[data-live]').forEach(part => {
    const next = page.getElementById(part.id);
    if (next && !hasUnsavedInput(part)) part.replaceWith(copyOf(next));
  });
  // The comment box gets the new values, unless somebody has begun to write in it: then the server merges.
  const form = byId('update'), next = page.getElementById('update');
  if (form && next && !form.dataset.changed) {
    findAll('select, input[type=hidden]', form).forEach(field => {
      const value = next.elements.namedItem(field.name);
      if (value && value.tagName) field.replaceWith(copyOf(value));
    });
  }
  updateRelativeTimes();
}
function closePopover(isFocused) {
  if (!popover) return;
  const { box, link } = popover;
  popover = null;
  if (box.dataset.changed && find('textarea', box)) keptBoxes.set(link.id, box); else keptBoxes.delete(link.id);
  box.remove();
  if (isFocused) (byId(link.id) || link).focus({ preventScroll: true });
}
function fillPopover(page) {
  const { box } = popover, form = copyOf(find('main form.form', page)), title = element('h2', {}, find('h1', page).textContent);
  box.ariaLabel = title.textContent;
  box.replaceChildren(title, form);
  suggestIssues(box);
  findAll('.editor[data-preview]', box).forEach(prepareEditor);
  placePopover();
}
function placePopover() {
  const { box, link } = popover, at = link.getBoundingClientRect();
  box.style.maxHeight = '';
  box.style.left = `${Math.max(8, Math.min(at.left, document.documentElement.clientWidth - box.offsetWidth - 16))}px`;
  box.style.top = `${Math.max(8, Math.min(at.bottom + 6, innerHeight - box.offsetHeight - 8))}px`;
  box.style.maxHeight = `${innerHeight - box.offsetTop - 8}px`;
  ['[aria-invalid]', '[autofocus]', 'select, textarea, input:not([type=hidden])', 'button'].map(selector => box.querySelector(selector)).find(Boolean).focus();
}
async function openPopover(link) {
  closePopover(false);
  if (keptBoxes.has(link.id)) {
    popover = { box: keptBoxes.get(link.id), link };
    byId('main').append(popover.box);
    popover.box.showPopover();
    return placePopover();
  }
  try {
    const { response, page } = await loadPage(link.href);
    if (!response.ok || !find('main form.form', page)) throw new Error();
    closePopover(false);
    const box = element('div', { className: 'popover', popover: 'manual', role: 'dialog' });
    popover = { box, link };
    box.addEventListener('input', () => { box.dataset.changed = '1'; });
    byId('main').append(box);
    box.showPopover();
    fillPopover(page);
  } catch (error) {
    if (error === unreachable) showFailure(error.message);
    else location.href = link.href;
  }
}
async function sendPopover(form, button) {
  const body = new URLSearchParams(new FormData(form));
  if (button && button.name) body.append(button.name, button.value);
  const { response, page } = await loadPage(form.action, { method: 'POST', body });
  if (!popover) return;
  if (response.redirected && page.getElementById('facts')) { delete popover.box.dataset.changed; replaceLive(page); closePopover(true); }
  else if (!response.redirected && find('main form.form', page)) fillPopover(page);
  else if (response.ok) location = response.url;
  else if (response.status >= 500) showPopoverFailure(form, failureOf({ response, page }));
  else form.submit();
}
function showPopoverFailure(form, text) {
  findAll('.notice.error', form).forEach(notice => notice.remove());
  form.prepend(failureNotice(text));
  placePopover();
}
on('click', event => {
  const link = event.target.closest('a[data-popover]');
  if (link && !(isModified(event) || event.shiftKey)) { event.preventDefault(); openPopover(link); return; }
  if (!popover) return;
  if (!popover.box.contains(event.target)) { if (!popover.box.dataset.changed) closePopover(false); }
  else if (event.target.closest('.actions a')) { event.preventDefault(); closePopover(true); }
});
on('keydown', event => {
  if (event.key === 'Escape' && popover && !event.defaultPrevented) { event.preventDefault(); closePopover(true); }
});
on('submit', event => {
  const form = event.target;
  if (!popover || !popover.box.contains(form)) return;
  event.preventDefault();
  sendPopover(form, event.submitter).catch(error => {
    if (error === unreachable && popover) showPopoverFailure(form, error.message);
    else form.submit();
  });
});
