// A link with data-popover shows the form of its page below it, and so does an element with data-choice, the address of a form. Saving replaces the parts of the page that are marked with data-live, and keeps scroll position and focus.
let popover = null;
// Long texts that were typed and not saved, by the address of their form.
const keptBoxes = new Map();
// An issue that the list does not have any more: the focus goes on to its neighbour.
function removeRow(row) {
  const neighbour = row.nextElementSibling || row.previousElementSibling;
  row.remove();
  document.dispatchEvent(new Event('rowschange'));
  if (neighbour) find('a', neighbour)?.focus({ preventScroll: true });
}
function replaceLive(page) {
  findAll('[data-live]').forEach(part => {
    const next = page.getElementById(part.id);
    if (!next && part.matches('tr[data-issue]')) removeRow(part);
    if (next && !hasUnsavedInput(part) && sentParts.get(part.id) !== next.outerHTML) replaceWithNew(part, next);
  });
  // All fields of the comment box get the new values, so that a comment changes nothing else, unless somebody has begun to write in it: then the server merges.
  const form = byId('update'), next = page.getElementById('update');
  if (form && next && !form.dataset.changed) {
    const alike = (fields, field) => [...fields].filter(other => other.name === field.name && other.type === field.type);
    [...form.elements].filter(field => field.name && field.type !== 'file').forEach(field => {
      const value = alike(next.elements, field)[alike(form.elements, field).indexOf(field)];
      if (!value) return;
      if (field.matches('select')) return field.replaceWith(copyOf(value));
      field.value = field.defaultValue = value.value;
      if ('checked' in field) field.checked = field.defaultChecked = value.checked;
    });
  }
  updateRelativeTimes();
}
// Returns an element of the page, also after its part was replaced.
function sameElement(old) {
  if (old.isConnected) return old;
  const name = ['id', 'data-choice', 'href', 'value'].find(name => old.getAttribute(name));
  return name ? find(`main ${old.localName}[${name}="${CSS.escape(old.getAttribute(name))}"]`) : null;
}
function closePopover(isFocused) {
  if (!popover) return;
  const { box, address, link, origin } = popover;
  popover = null;
  if (box.dataset.changed && find('textarea', box)) keptBoxes.set(address, box); else keptBoxes.delete(address);
  box.remove();
  if (isFocused) [link, origin].map(sameElement).find(item => item?.matches('a, button, input, [tabindex]'))?.focus({ preventScroll: true });
}
function fillPopover(page) {
  const { box } = popover, form = copyOf(find('main form.form', page)), title = element('h2', {}, find('h1', page).textContent);
  box.ariaLabel = title.textContent;
  box.replaceChildren(title, form);
  offerChoices(form);
  suggestIssues(box);
  loadParts(box);
  placePopover();
}
function placePopover() {
  const { box, link } = popover, fold = link.closest('details[id]');
  if (fold) fold.open = true;
  const at = link.getBoundingClientRect();
  box.style.maxHeight = '';
  box.style.left = `${Math.max(8, Math.min(at.left, document.documentElement.clientWidth - box.offsetWidth - 16))}px`;
  box.style.top = `${Math.max(8, Math.min(at.bottom + 6, innerHeight - box.offsetHeight - 8))}px`;
  box.style.maxHeight = `${innerHeight - box.offsetTop - 8}px`;
  ['[aria-invalid]:not([hidden])', '[autofocus]', 'select, textarea, input:not([type=hidden])', 'button'].map(selector => box.querySelector(selector)).find(Boolean).focus();
}
async function openPopover(link, address = link.dataset.choice || link.href) {
  const origin = document.activeElement;
  closePopover(false);
  if (keptBoxes.has(address)) {
    popover = { box: keptBoxes.get(address), address, link, origin };
    byId('main').append(popover.box);
    popover.box.showPopover();
    return placePopover();
  }
  try {
    const answer = await loadPage(address);
    if (!answer.response.ok && !link.href) return showFailure(failureOf(answer));
    if (!answer.response.ok || !find('main form.form', answer.page)) throw new Error();
    closePopover(false);
    const box = element('div', { className: 'popover', popover: 'manual', role: 'dialog' });
    popover = { box, address, link, origin };
    box.addEventListener('input', event => { if (event.target.id !== 'choice') box.dataset.changed = '1'; });
    byId('main').append(box);
    box.showPopover();
    fillPopover(answer.page);
  } catch (error) {
    if (error === unreachable) showFailure(error.message);
    else location.href = address;
  }
}
async function postForm(form, button) {
  const body = new URLSearchParams(new FormData(form));
  if (button && button.name) body.append(button.name, button.value);
  return loadPage(form.action, { method: 'POST', body });
}
// A saved form of an issue leads to its page. A list that shows the issue is loaded again. Returns whether the page shows what is saved.
async function showSaved({ response, page }, link) {
  if (!response.redirected || !(byId('facts') ? page.getElementById('facts') : link.closest('[data-issue]'))) return false;
  replaceLive(byId('facts') ? page : (await loadPage(location.href)).page);
  return true;
}
async function sendPopover(form, button) {
  const answer = await postForm(form, button), { response, page } = answer;
  if (!popover) return;
  if (await showSaved(answer, popover.link)) { delete popover.box.dataset.changed; closePopover(true); }
  else if (!response.redirected && find('main form.form', page)) fillPopover(page);
  else if (response.ok) location = response.url;
  else if (response.status >= 500) showPopoverFailure(form, failureOf(answer));
  else form.submit();
}
function showPopoverFailure(form, text) {
  findAll('.notice.error', form).forEach(notice => notice.remove());
  form.prepend(failureNotice(text));
  placePopover();
}
// Keys change a fact of the issue of the row or card with the focus, or else of the page. Their link says whether the viewer may.
function openFact(field) {
  const issue = document.activeElement.closest('[data-issue]') || byId('facts');
  const link = issue && (find(`#fact-${field}, [data-choice$="field=${field}"]`, issue) || (issue.id !== 'facts' && issue));
  if (link) openPopover(link, `${issue.dataset.issue}/edit?field=${field}`);
  else if (issue) showFailure('This cannot be changed here.');
  return issue;
}
async function assignToMe() {
  const origin = document.activeElement, issue = origin.closest('[data-issue]') || byId('facts'), user = document.body.dataset.user;
  try {
    const answer = await loadPage(`${issue.dataset.issue}/edit?field=assigned_to_id`), select = find('main form.form select', answer.page);
    const own = select && [...select.options].find(option => option.value === user);
    if (!own) return showFailure(answer.response.ok ? 'The issue cannot be assigned to you.' : failureOf(answer));
    if (own.selected) return;
    own.selected = true;
    const saved = await postForm(select.form);
    if (await showSaved(saved, issue)) sameElement(origin)?.focus({ preventScroll: true });
    else showFailure(failureOf(saved));
  } catch (error) { showFailure(error === unreachable ? error.message : failureOf({ response: {}, page: document })); }
}
// What opens a form: a link or element of its own, or the line of a fact that has a link. A cell of a table needs a double click.
function openerOf(target) {
  const link = target.closest('a, button, input, summary, [data-choice]:not(td)');
  if (link) return link.matches('a[data-popover], [data-choice]') ? link : null;
  const fact = target.closest('.fact');
  return fact && !String(getSelection()) ? find('a[data-popover]', fact) : null;
}
on('click', event => {
  const link = openerOf(event.target);
  if (link && !(isModified(event) || event.shiftKey)) { event.preventDefault(); openPopover(link); return; }
  if (!popover) return;
  if (!popover.box.contains(event.target)) { if (!popover.box.dataset.changed) closePopover(false); }
  else if (event.target.closest('.actions a')) { event.preventDefault(); closePopover(true); }
});
on('dblclick', event => {
  const cell = event.target.closest('td[data-choice]');
  if (cell && !event.target.closest('a, button, input')) openPopover(cell);
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
