// Moves the dates of issues, by dragging or with Shift and an arrow key: in the calendar to another day, in the Gantt chart along the days.
const shifted = (day, days) => new Date(Date.parse(day) + days * 864e5).toISOString().slice(0, 10);
const DAYS_OF_KEYS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };
let isMoving = false;
// The attributes of an issue that a move changes, each with its new day.
function movedDates(item, days, only) {
  const dates = {};
  for (const name of ['start', 'due']) if (item.dataset[name] && (!only || only === name)) dates[`${name}_date`] = shifted(item.dataset[name], days);
  return dates;
}
// The form of each date says why it cannot be changed: both move, or none. The page is shown as the server answers.
async function saveDates(link, dates) {
  if (isMoving || !Object.keys(dates).length) return;
  isMoving = true;
  try {
    let form;
    for (const name of Object.keys(dates)) {
      const opened = await loadPage(`${link.href}/edit?field=${name}`);
      form = find('form:has([name="issue[lock_version]"])', opened.page);
      if (!form) throw new Error(opened.response.status === 403 ? 'You may not change these dates.' : failureOf(opened));
    }
    const body = new URLSearchParams({ authenticity_token: form.elements.authenticity_token.value, 'issue[lock_version]': form.elements['issue[lock_version]'].value });
    Object.entries(dates).forEach(([name, day]) => body.set(`issue[${name}]`, day));
    const saved = await loadPage(link.href, { method: 'POST', body });
    if (!saved.response.ok) throw new Error([...findAll('.error-summary :is(p, li)', saved.page)].map(message => message.textContent.trim()).join(' ') || failureOf(saved));
    showDates((await loadPage(location.href)).page, link.pathname);
    showMessage(saved.page);
  } catch (error) {
    resetDates();
    showFailure(error.message);
  }
  isMoving = false;
}
function showDates(page, path) {
  const part = byId('dates'), next = page.getElementById('dates');
  if (!next) { location.reload(); return; }
  const left = part.scrollLeft, added = copyOf(next);
  part.replaceWith(added);
  added.scrollLeft = left;
  prepareDates();
  [...findAll('a', added)].find(link => link.pathname === path)?.focus({ preventScroll: true });
}
function resetDates() {
  findAll('#dates [data-moved]').forEach(bar => { bar.setAttribute('transform', bar.dataset.moved); delete bar.dataset.moved; });
}
function prepareDates() {
  findAll('#dates [data-dates]').forEach(item => {
    const link = find('a[href]', item);
    if (!link) return;
    link.setAttribute('aria-keyshortcuts', 'Shift+ArrowLeft Shift+ArrowRight Shift+ArrowUp Shift+ArrowDown');
    item.title = 'Drag to another day, or press Shift and an arrow key';
    if (item.matches('li')) item.draggable = true;
  });
}
prepareDates();
on('keydown', event => {
  const item = event.target.closest('#dates [data-dates]'), days = DAYS_OF_KEYS[event.key];
  if (!item || !days || !event.shiftKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  saveDates(event.target.closest('a') || find('a[href]', item), movedDates(item, days, event.altKey && 'due'));
});
// The calendar.
let draggedItem = null;
on('dragstart', event => {
  draggedItem = event.target.closest?.('#dates li[data-dates]');
  if (draggedItem) event.dataTransfer.effectAllowed = 'move';
});
const dayOf = event => draggedItem && event.target.closest('#dates [data-day]');
on('dragover', event => { if (dayOf(event)) event.preventDefault(); });
on('drop', event => {
  const cell = dayOf(event), from = draggedItem?.closest('[data-day]');
  if (!cell) return;
  event.preventDefault();
  const days = (Date.parse(cell.dataset.day) - Date.parse(from.dataset.day)) / 864e5;
  if (days) saveDates(find('a[href]', draggedItem), movedDates(draggedItem, days));
});
on('dragend', () => { draggedItem = null; });
// The Gantt chart: a bar moves as a whole, by its ends one of the dates.
const EDGE = 5;
on('pointerdown', event => {
  const bar = event.target.closest('#dates g[data-dates]');
  const row = bar && find(`#dates tr[data-dates="${bar.dataset.dates}"]`);
  if (!row || event.button || event.pointerType === 'touch' || isMoving) return;
  const box = find('rect', bar).getBoundingClientRect(), chart = bar.ownerSVGElement.getBoundingClientRect();
  const width = Number(byId('dates').dataset.dayWidth), before = bar.getAttribute('transform');
  const isWide = box.width > 3 * EDGE;
  // An end that the chart cuts off, or of a date that is missing, moves the whole bar.
  const hasStart = row.dataset.start && box.left > chart.left + 1, hasDue = row.dataset.due && box.right < chart.right - 1;
  const only = isWide && hasStart && event.clientX < box.left + EDGE ? 'start' : isWide && hasDue && event.clientX > box.right - EDGE ? 'due' : '';
  const daysAt = move => Math.round((move.clientX - event.clientX) / width);
  event.preventDefault();
  bar.dataset.moved = before;
  const move = moved => bar.setAttribute('transform', `${before} translate(${daysAt(moved) * width} 0)`);
  const end = moved => {
    ['pointermove', 'pointerup', 'pointercancel'].forEach((name, index) => document.removeEventListener(name, [move, end, end][index]));
    const days = moved.type === 'pointerup' ? daysAt(moved) : 0;
    if (days) saveDates(find('a[href]', row), movedDates(row, days, only)); else resetDates();
  };
  on('pointermove', move);
  on('pointerup', end);
  on('pointercancel', end);
});
