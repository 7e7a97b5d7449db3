// Additions to pages that work without them. The parts of this script stand in files of their own and are joined when the program is built.
'use strict';
const find = (selector, root = document) => root.querySelector(selector), findAll = (selector, root = document) => root.querySelectorAll(selector);
const byId = id => document.getElementById(id), on = (type, handler) => document.addEventListener(type, handler);
const isModified = event => event.ctrlKey || event.metaKey || event.altKey;
const copyOf = node => document.importNode(node, true);
async function loadPage(address, options) {
  const response = await fetch(address, { headers: { Accept: 'text/html' }, ...options });
  return { response, page: new DOMParser().parseFromString(await response.text(), 'text/html') };
}
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
