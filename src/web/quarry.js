// Additions to pages that work without them: keyboard, suggestions, theme, relative times, a warning about unsaved text.
'use strict';

const box = document.querySelector('form.search-box');

document.addEventListener('keydown', event => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input, textarea, select, [contenteditable]')) return;
  const field = document.querySelector('main input[type=search]') || (box && box.elements.q);
  if (field) { event.preventDefault(); field.focus(); field.select(); }
});

// Suggestions: an ARIA combobox with a list box (WAI-ARIA Authoring Practices, "list autocomplete with manual selection").
function suggest(form) {
  const field = form.elements.q, list = document.createElement('ul');
  let timer, request, selected = -1, items = [];
  list.id = 'suggestions-' + Math.random().toString(36).slice(2);
  list.className = 'suggestions';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  list.hidden = true;
  field.parentElement.append(list);
  for (const [name, value] of [['role', 'combobox'], ['aria-autocomplete', 'list'], ['aria-controls', list.id], ['aria-expanded', 'false']]) field.setAttribute(name, value);

  const close = () => {
    clearTimeout(timer);
    if (request) request.abort();
    list.hidden = true; selected = -1; items = [];
    field.setAttribute('aria-expanded', 'false');
    field.removeAttribute('aria-activedescendant');
  };
  const select = index => {
    selected = index;
    [...list.children].forEach((item, at) => item.setAttribute('aria-selected', String(at === index)));
    const item = list.children[index];
    if (item) { field.setAttribute('aria-activedescendant', item.id); item.scrollIntoView({ block: 'nearest' }); }
    else field.removeAttribute('aria-activedescendant');
  };
  const show = results => {
    items = results.map(result => new URL(result.url, location.href));
    list.replaceChildren(...results.map((result, at) => {
      const item = document.createElement('li'), title = document.createElement('span'), where = document.createElement('small');
      item.id = list.id + '-' + at;
      item.setAttribute('role', 'option');
      item.setAttribute('aria-selected', 'false');
      title.textContent = result.type === 'wiki-page' ? result.title.replaceAll('_', ' ') : result.title;
      where.textContent = result.project ? result.project.name : '';
      item.append(title, where);
      item.addEventListener('mousedown', event => { event.preventDefault(); open(at); });
      return item;
    }));
    list.hidden = results.length === 0;
    field.setAttribute('aria-expanded', String(results.length > 0));
    select(-1);
  };
  // The path alone: the service may be reached at another address than the configured one.
  const open = at => { location.href = items[at].pathname + items[at].search + items[at].hash; };
  const load = async () => {
    const words = field.value.trim();
    if (request) request.abort();
    if (words.length < 2) return close();
    request = new AbortController();
    try {
      const address = new URL(form.dataset.suggest, location.href);
      for (const [name, value] of new FormData(form)) address.searchParams.set(name, value);
      address.searchParams.set('q', words);
      address.searchParams.set('limit', '8');
      const response = await fetch(address, { signal: request.signal, headers: { Accept: 'application/json' } });
      if (response.ok && document.activeElement === field) show((await response.json()).results); else close();
    } catch (error) { if (error.name !== 'AbortError') close(); }
  };
  field.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(load, 120); });
  field.addEventListener('blur', close);
  field.addEventListener('keydown', event => {
    if (list.hidden || event.isComposing) return;
    const count = list.children.length;
    if (event.key === 'ArrowDown') select((selected + 1) % count);
    else if (event.key === 'ArrowUp') select(selected <= 0 ? count - 1 : selected - 1);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && selected >= 0) open(selected);
    else return;
    event.preventDefault();
  });
}
document.querySelectorAll('form[data-suggest]').forEach(suggest);

// The menu closes on Escape and on a click elsewhere.
document.addEventListener('click', event => document.querySelectorAll('details.menu[open]').forEach(menu => { if (!menu.contains(event.target)) menu.open = false; }));
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return;
  document.querySelectorAll('details.menu[open]').forEach(menu => {
    if (menu.contains(document.activeElement)) menu.querySelector('summary').focus();
    menu.open = false;
  });
});

// The theme changes at once; the form stores the choice.
document.querySelectorAll('form.themes').forEach(form => form.addEventListener('submit', event => {
  const button = event.submitter;
  if (!button) return;
  event.preventDefault();
  const data = new URLSearchParams(new FormData(form));
  data.set('theme', button.value);
  if (button.value === 'auto') delete document.documentElement.dataset.theme; else document.documentElement.dataset.theme = button.value;
  form.querySelectorAll('button').forEach(other => other.setAttribute('aria-pressed', String(other === button)));
  fetch(form.action, { method: 'POST', body: data, redirect: 'manual' });
}));

// Times of the last thirty days, relative to now.
const units = [['day', 86400], ['hour', 3600], ['minute', 60]];
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
function tell() {
  document.querySelectorAll('time[data-relative]').forEach(time => {
    const age = (Date.now() - Date.parse(time.dateTime)) / 1000;
    if (!(age >= 0 && age < 30 * 86400)) return;
    const unit = units.find(([, seconds]) => age >= seconds);
    time.textContent = unit ? words.format(-Math.floor(age / unit[1]), unit[0]) : 'just now';
  });
}
tell();
setInterval(tell, 60000);

// A form with text that was typed and not sent warns before the page is left.
document.querySelectorAll('form[data-warn-unsaved]').forEach(form => {
  let changed = false;
  form.addEventListener('input', () => { changed = true; });
  form.addEventListener('submit', () => { changed = false; });
  addEventListener('beforeunload', event => { if (changed) event.preventDefault(); });
});

// Parts of pages that change by themselves, such as the progress of a rebuild.
function refresh(part) {
  const delay = Number(part.dataset.refresh);
  if (!delay || !part.id) return;
  setTimeout(async () => {
    let next = part;
    try {
      const reply = await fetch(location.href, { headers: { accept: 'text/html' }, credentials: 'same-origin' });
      if (reply.ok && !reply.redirected) {
        const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
        const found = page.getElementById(part.id);
        if (found) { next = document.importNode(found, true); part.replaceWith(next); }
      }
    } catch { /* the next attempt may succeed */ }
    refresh(next);
  }, delay);
}
for (const part of document.querySelectorAll('[data-refresh]')) refresh(part);

// Text areas for wiki markup have a preview, rendered by the server. Images of the form that are not sent yet are inserted here.
document.querySelectorAll('.editor[data-preview]').forEach(editor => {
  const text = editor.querySelector('textarea'), preview = editor.querySelector('.editor-preview'), tools = editor.querySelector('.editor-tools');
  const form = editor.closest('form'), token = form.elements.authenticity_token;
  if (!token) return;
  let images = [];
  tools.hidden = false;
  const select = mode => {
    tools.querySelectorAll('button').forEach(button => button.setAttribute('aria-pressed', String(button.dataset.mode === mode)));
    preview.hidden = mode !== 'preview';
    text.hidden = mode === 'preview';
  };
  const showImages = (page, files) => {
    images.forEach(address => URL.revokeObjectURL(address));
    images = [];
    page.querySelectorAll('img[src^="#file-"]').forEach(image => {
      const file = files[image.getAttribute('src').slice(6)];
      if (file) images.push(image.src = URL.createObjectURL(file));
    });
  };
  tools.addEventListener('click', async event => {
    const mode = event.target.dataset.mode;
    if (!mode) return;
    select(mode);
    if (mode === 'write') { text.focus(); return; }
    preview.textContent = 'Loading …';
    const body = new URLSearchParams({ text: text.value }), field = form.querySelector('input[type=file]'), files = field ? [...field.files] : [];
    files.forEach(file => body.append('files[]', file.name));
    form.querySelectorAll('input[name^="attachments["]:checked').forEach(sent => body.append(sent.name, sent.value));
    try {
      const response = await fetch(editor.dataset.preview, { method: 'POST', body, headers: { 'X-CSRF-Token': token.value } });
      if (!response.ok) throw new Error(String(response.status));
      const page = document.createElement('template');
      page.innerHTML = await response.text();
      showImages(page.content, files);
      preview.replaceChildren(page.content);
    } catch { preview.textContent = 'The preview could not be loaded.'; }
  });
});

// Files that are pasted into a text, or dropped on it, are attached. Browsers name every pasted picture image.png, so it gets a unique name.
let renamed = 0;
function withOwnName(file) {
  if (file.name && !/^image\.\w+$/i.test(file.name)) return file;
  const two = number => String(number).padStart(2, '0'), now = new Date();
  const day = now.getFullYear() + two(now.getMonth() + 1) + two(now.getDate()), time = two(now.getHours()) + two(now.getMinutes()) + two(now.getSeconds());
  const extension = file.name.split('.')[1] || (file.type.split('/')[1] || 'bin').split('+')[0];
  renamed += 1;
  return new File([file], `pasted-${day}-${time}-${renamed}.${extension}`, { type: file.type });
}
document.querySelectorAll('form[enctype="multipart/form-data"]').forEach(form => {
  const field = form.querySelector('input[type=file]');
  if (!field) return;
  const attach = (event, text, transfer) => {
    if (!transfer || !transfer.files.length) return;
    event.preventDefault();
    const added = [...transfer.files].map(withOwnName), all = new DataTransfer();
    [...field.files, ...added].forEach(file => all.items.add(file));
    field.files = all.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
    const names = added.filter(file => file.type.startsWith('image/')).map(file => /[\s()]/.test(file.name) ? `![](<${file.name}>)` : `![](${file.name})`);
    text.setRangeText(names.join(' '), text.selectionStart, text.selectionEnd, 'end');
    text.dispatchEvent(new Event('input', { bubbles: true }));
  };
  form.querySelectorAll('.editor textarea').forEach(text => {
    text.addEventListener('paste', event => attach(event, text, event.clipboardData));
    text.addEventListener('dragover', event => { if (event.dataTransfer.types.includes('Files')) event.preventDefault(); });
    text.addEventListener('drop', event => attach(event, text, event.dataTransfer));
  });
});

// The identifier of a new project follows its name until somebody types another one.
document.querySelectorAll('form[action="/projects/new"]').forEach(form => {
  const name = form.elements['project[name]'], identifier = form.elements['project[identifier]'];
  const suggestion = text => text.normalize('NFKD').toLowerCase().replaceAll('ß', 'ss').replace(/\p{M}/gu, '').replace(/[^a-z0-9_]+/g, '-').replace(/^[-0-9]+|-+$/g, '').slice(0, 100);
  let last = suggestion(name.value);
  name.addEventListener('input', () => {
    const next = suggestion(name.value);
    if (identifier.value === '' || identifier.value === last) identifier.value = next;
    last = next;
  });
});
