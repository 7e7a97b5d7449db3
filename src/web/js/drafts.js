// What is typed into a form with wiki markup is kept in the browser until it is saved: for each user, form and field, for a week, at most 30 texts.
const draftUser = document.body.dataset.user, draftPrefix = `draft:${draftUser}:`, sentPrefix = `sent:${draftUser}:`, draftAge = 7 * 86400000, maxDrafts = 30, maxDraftLength = 100000;
function readDraft(key) {
  try {
    const draft = JSON.parse(localStorage.getItem(key));
    if (typeof draft.text === 'string' && typeof draft.base === 'string' && Date.now() - draft.time < draftAge) return draft;
  } catch { /* none, or none of ours */ }
  return null;
}
function draftsOf(form) {
  const prefix = `${draftPrefix}${new URL(form.action, location.href).pathname}:`, pending = new Set();
  const fields = [...form.querySelectorAll('textarea, input[type=text]')].filter(field => field.name);
  const save = field => {
    const key = prefix + field.name, old = readDraft(key);
    if (field.value === field.defaultValue && !(old && old.text === field.value)) return localStorage.removeItem(key);
    // A form that was refused starts with what was typed before.
    const base = old && old.text === field.defaultValue ? old.base : field.defaultValue;
    if (field.value.length + base.length > maxDraftLength) return;
    try { localStorage.setItem(key, JSON.stringify({ text: field.value, base, time: Date.now() })); } catch { /* no room */ }
  };
  const restored = fields.filter(field => {
    const draft = readDraft(prefix + field.name);
    if (!draft || field.value !== field.defaultValue || draft.base !== field.value || draft.text === field.value) return false;
    field.value = draft.text;
    return true;
  });
  if (restored.length) {
    const age = relativeTime(readDraft(prefix + restored[0].name).time), button = element('button', { type: 'button', className: 'btn plain' }, 'Discard');
    const line = element('p', { className: 'draft small muted', role: 'status' }, `Draft from ${age} restored · `, button);
    button.addEventListener('click', () => {
      restored.forEach(field => { field.value = field.defaultValue; localStorage.removeItem(prefix + field.name); });
      delete form.dataset.changed;
      line.remove();
      restored[0].focus();
    });
    restored[0].closest('.field').append(line);
  }
  let timer;
  const flush = () => { clearTimeout(timer); pending.forEach(save); pending.clear(); };
  form.addEventListener('input', event => {
    if (!fields.includes(event.target)) return;
    pending.add(event.target);
    clearTimeout(timer);
    timer = setTimeout(flush, 400);
  });
  addEventListener('pagehide', flush);
  form.addEventListener('submit', event => {
    flush();
    if (event.defaultPrevented) return;
    const id = [...crypto.getRandomValues(new Uint8Array(12))].map(byte => byte.toString(16).padStart(2, '0')).join('');
    form.querySelectorAll('input[name=draft]').forEach(field => field.remove());
    form.append(element('input', { type: 'hidden', name: 'draft', value: id }));
    try { localStorage.setItem(`${sentPrefix}${id}`, JSON.stringify({ prefix, time: Date.now() })); } catch { /* no room */ }
  });
}
// The server names a form that it has saved in a cookie. What was typed after the form was sent stays.
function forgetSavedDraft() {
  const id = (/(?:^|; )saved_draft=(\w+)/.exec(document.cookie) || [])[1], sent = id && readSent(`${sentPrefix}${id}`);
  if (!sent) return;
  keptKeys(sent.prefix).forEach(key => { const draft = readDraft(key); if (!draft || draft.time <= sent.time) localStorage.removeItem(key); });
  localStorage.removeItem(`${sentPrefix}${id}`);
}
function readSent(key) {
  try {
    const sent = JSON.parse(localStorage.getItem(key));
    if (sent.prefix.startsWith(draftPrefix) && Date.now() - sent.time < draftAge) return sent;
  } catch { /* none, or none of ours */ }
  return null;
}
if (draftUser) {
  try {
    forgetSavedDraft();
    const time = key => { const draft = readDraft(key); return draft ? draft.time : 0; };
    keptKeys('draft:').sort((a, b) => time(b) - time(a)).forEach((key, at) => { if (at >= maxDrafts || !time(key)) localStorage.removeItem(key); });
    keptKeys(sentPrefix).forEach(key => { if (!readSent(key)) localStorage.removeItem(key); });
    findAll('form[method=post]:has(.editor)').forEach(draftsOf);
    findAll('form[action$="/logout"]').forEach(form => form.addEventListener('submit', () => { forget(draftPrefix); forget(sentPrefix); }));
  } catch { /* the browser stores nothing */ }
}
