// Check boxes of a text are ticked by those who may edit it. Ticks that follow each other within a second are sent together, so that they are one journal or version.
const delay = 1000;
function sendTicks(text, leaves) {
  const { ticks } = text;
  clearTimeout(ticks.timer);
  delete text.ticks;
  const body = new URLSearchParams({ authenticity_token: find('[name=authenticity_token]').value, fingerprint: text.dataset.fingerprint, back_url: location.pathname + location.search });
  ticks.changes.forEach((isDone, number) => body.append(`tasks[${number}]`, isDone ? 1 : 0));
  const options = { method: 'POST', body, keepalive: true };
  if (leaves) { fetch(text.dataset.tasks, options); return; }
  const boxes = [...findAll('.task input', text)], id = text.closest('[id]').id, focused = boxes.indexOf(document.activeElement);
  boxes.forEach(box => { box.disabled = true; });
  loadPage(text.dataset.tasks, options).then(({ response, page }) => {
    const part = byId(id), next = page.getElementById(id);
    if (!response.ok || !next) throw new Error(failureOf({ response, page }));
    replaceLive(page);
    if (byId(id) === part) replaceWithNew(part, next);
    findAll('.task input', byId(id))[focused]?.focus({ preventScroll: true });
  }).catch(error => {
    showFailure(error.message);
    boxes.forEach((box, index) => {
      box.disabled = false;
      if (ticks.changes.has(index + 1)) box.checked = !ticks.changes.get(index + 1);
    });
  });
}
function enableTasks(root) {
  findAll('[data-tasks] .task input', root).forEach(box => { box.disabled = false; });
}
enableTasks(document);
on('change', event => {
  const box = event.target, text = box.closest('[data-tasks]');
  if (!text || !box.matches('.task input')) return;
  const ticks = text.ticks ||= { changes: new Map() }, number = [...findAll('.task input', text)].indexOf(box) + 1;
  // A box that is as it was again is no change.
  if (ticks.changes.has(number)) ticks.changes.delete(number); else ticks.changes.set(number, box.checked);
  clearTimeout(ticks.timer);
  if (!ticks.changes.size) { delete text.ticks; return; }
  ticks.timer = setTimeout(() => sendTicks(text, false), delay);
});
window.addEventListener('pagehide', () => findAll('[data-tasks]').forEach(text => { if (text.ticks) sendTicks(text, true); }));
