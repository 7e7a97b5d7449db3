// Additions to pages that work without them. The parts of this script stand in files of their own and are joined when the program is built.
'use strict';
const find = (selector, root = document) => root.querySelector(selector), findAll = (selector, root = document) => root.querySelectorAll(selector);
const byId = id => document.getElementById(id), on = (type, handler) => document.addEventListener(type, handler);
const isModified = event => event.ctrlKey || event.metaKey || event.altKey;
const copyOf = node => document.importNode(node, true);
// What loadPage throws when no answer comes: the request may have arrived.
const unreachable = new Error('The server cannot be reached. When it can, reload the page to see whether this was saved.');
async function loadPage(address, options) {
  try {
    const response = await fetch(address, { headers: { Accept: 'text/html' }, ...options });
    return { response, page: new DOMParser().parseFromString(await response.text(), 'text/html') };
  } catch (error) { throw error.name === 'AbortError' ? error : unreachable; }
}
// What is wrong with an answer that is no page to show, in the words of the server; a proxy has pages of its own.
function failureOf({ response, page }) {
  const messages = [...findAll('.error-page > p, .notice.error p', page)].map(message => message.textContent.trim());
  return messages.join(' ') || (response.status >= 500 ? unreachable.message : 'This was not understood. Reload the page and try again.');
}
const failureNotice = text => element('p', { className: 'notice error', role: 'alert' }, element('span', {}, text));
function insertText(field, text) {
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
// What the browser keeps is removed by the beginning of its name.
const keptKeys = prefix => Object.keys(localStorage).filter(key => key.startsWith(prefix));
function forget(prefix) {
  try { keptKeys(prefix).forEach(key => localStorage.removeItem(key)); } catch { /* Storage is off. */ }
}
function element(name, properties, ...children) {
  const added = Object.assign(document.createElement(name), properties);
  added.append(...children);
  return added;
}
// What the server sent for each part of the page that changes: a part that is sent alike stays as it is.
const sentParts = new Map([...findAll('[data-live]')].map(part => [part.id, part.outerHTML]));
function replaceWithNew(part, next) {
  sentParts.set(next.id, next.outerHTML);
  const added = copyOf(next);
  findAll('details[id]', added).forEach(fold => { fold.open ||= byId(fold.id)?.open; });
  const selected = [...findAll('input[form=bulk]:checked', part)].map(box => box.value);
  findAll('input[form=bulk]', added).forEach(box => { box.checked = selected.includes(box.value); });
  part.replaceWith(added);
  window.enableTasks?.(added.parentNode);
}
