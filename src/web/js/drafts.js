// What is typed into a form with wiki markup is kept in the browser until it is saved: for each user, form and field, for a week, at most 30 texts.
const draftUser = document.body.dataset.user, draftAge = 7 * 86400000, maxDrafts = 30, maxDraftLength = 100000;
const draftPrefix = `draft:${draftUser}:`;
function storedDrafts(prefix) {
  const found = [];
  for (let at = 0; at < localStorage.length; at += 1) {
    const key = localStorage.key(at);
    if (!key.startsWith(prefix)) continue;
    let draft = null;
    try { draft = JSON.parse(localStorage.getItem(key)); } catch { /* removed below */ }
    found.push({ key, draft: draft && typeof draft.text === 'string' && typeof draft.base === 'string' && draft.time > 0 ? draft : null });
  }
  return found;
}
function ageInWords(time) {
  const age = (Date.now() - time) / 1000, unit = units.find(([, seconds]) => age >= seconds);
  return unit ? words.format(-Math.floor(age / unit[1]), unit[0]) : 'just now';
}
function draftsOf(form) {
  const prefix = `${draftPrefix}${new URL(form.action, location.href).pathname}:`;
  const fields = [...form.querySelectorAll('textarea, input[type=text]')].filter(field => field.name);
  const read = field => (storedDrafts(prefix + field.name).find(entry => entry.key === prefix + field.name) || {}).draft;
  const save = field => {
    const key = prefix + field.name, old = read(field);
    if (field.value === field.defaultValue && !(old && old.text === field.value)) return localStorage.removeItem(key);
    // A form that was refused starts with what was typed before.
    const base = old && old.text === field.defaultValue ? old.base : field.defaultValue;
    if (field.value.length + base.length > maxDraftLength) return;
    try { localStorage.setItem(key, JSON.stringify({ text: field.value, base, time: Date.now() })); } catch { /* no room */ }
  };
  const restored = [];
  for (const field of fields) {
    const draft = read(field);
    if (!draft || field.value !== field.defaultValue || draft.base !== field.value || draft.text === field.value) continue;
    field.value = draft.text;
    restored.push({ field, draft });
  }
  if (restored.length) {
    const line = document.createElement('p'), button = document.createElement('button');
    line.className = 'draft small muted';
    line.setAttribute('role', 'status');
    button.type = 'button';
    button.className = 'btn plain';
    button.textContent = 'Discard';
    button.addEventListener('click', () => {
      restored.forEach(({ field }) => { field.value = field.defaultValue; localStorage.removeItem(prefix + field.name); });
      delete form.dataset.changed;
      line.remove();
      restored[0].field.focus();
    });
    line.append(`Draft from ${ageInWords(Math.max(...restored.map(({ draft }) => draft.time)))} restored · `, button);
    restored[0].field.closest('.field').append(line);
  }
  const pending = new Set();
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
    if (!(event.submitter && event.submitter.name === 'do' && event.submitter.dataset.keepsDraft !== undefined)) sessionStorage.setItem('sent-drafts', prefix);
  });
}
if (draftUser) {
  try {
    // The form was saved if a page followed that is neither an error nor the login.
    const sent = sessionStorage.getItem('sent-drafts'), navigation = performance.getEntriesByType('navigation')[0];
    const failed = location.pathname.startsWith('/login') || document.title.startsWith('Error:') || (navigation && navigation.responseStatus >= 400);
    if (sent && sent.startsWith(draftPrefix) && !failed) storedDrafts(sent).forEach(entry => localStorage.removeItem(entry.key));
    sessionStorage.removeItem('sent-drafts');
    const drafts = storedDrafts('draft:').sort((a, b) => (b.draft ? b.draft.time : 0) - (a.draft ? a.draft.time : 0));
    drafts.forEach((entry, at) => { if (at >= maxDrafts || !entry.draft || Date.now() - entry.draft.time > draftAge) localStorage.removeItem(entry.key); });
    document.querySelectorAll('form[method=post]:has(.editor)').forEach(draftsOf);
    document.querySelectorAll('form[action="/logout"]').forEach(form => form.addEventListener('submit', () => storedDrafts(draftPrefix).forEach(entry => localStorage.removeItem(entry.key))));
  } catch { /* the browser stores nothing */ }
}
