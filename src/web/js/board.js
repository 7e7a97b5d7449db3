// Moves cards of a board with the pointer, or with the keys: space lifts and drops, arrows move, Escape cancels.
let lifted = null, isSaving = false, pressed = null;
const columnOf = card => card.closest('.board-column');
const announce = text => { byId('board-status').textContent = text; };
const laneOf = column => column.closest('.board-lane');
const nameOf = column => [column.dataset.label, laneOf(column).dataset.label].filter(Boolean).join(', ');
function clearRefusals() {
  findAll('.board-column.refused').forEach(column => {
    column.classList.remove('refused');
    find('.refusal', column).remove();
  });
}
function refuse(column, reason) {
  if (column.classList.contains('refused')) return;
  column.classList.add('refused');
  column.dataset.reason = reason;
  find('h2, h3', column).after(element('p', { className: 'refusal', textContent: reason }));
}
// Loads the page that moves the card without the script: it says which columns are possible, and why others are not.
async function loadMoves(card) {
  const { page } = await loadPage(find('a.move', card).href);
  const form = find('form:has(.moves)', page);
  if (!lifted || lifted.card !== card || !form) return null;
  findAll('.moves', form).forEach(moves => findAll('li', moves).forEach(target => {
    const reason = find('.refusal', target), name = moves.dataset.to === 'to' ? 'value' : 'lane';
    if (reason) findAll('.board-column').forEach(column => {
      if (column.dataset[name] === target.dataset.target) refuse(column, reason.textContent);
    });
  }));
  return form;
}
function lift(card) {
  if (isSaving) return announce('The last move is still being saved.');
  if (!find('a.move', card)) return announce('You may not move this card.');
  lifted = { card, column: columnOf(card), next: card.nextElementSibling };
  lifted.moves = loadMoves(card).catch(error => error);
  card.classList.add('lifted');
  announce(`Lifted from ${nameOf(lifted.column)}. Arrow keys move it, space drops it, Escape cancels.`);
}
function putBack() {
  const { card, column, next } = lifted;
  find('.board-cards', column).insertBefore(card, next);
  card.classList.remove('lifted');
  clearRefusals();
  lifted = null;
  card.focus({ preventScroll: true });
}
function cancel(text) {
  pressed = null;
  putBack();
  announce(text);
}
// A card that could not be moved goes back, and the page says why.
function fail(text) {
  cancel(text);
  showFailure(text);
}
function placedBelow(card) {
  const ids = [];
  for (let above = card.previousElementSibling; above; above = above.previousElementSibling) ids.unshift(above.dataset.id);
  return ids.join(',');
}
async function drop() {
  const { card, column, next } = lifted, target = columnOf(card);
  if (target === column && card.nextElementSibling === next) return cancel('Dropped where it was.');
  if (target.classList.contains('refused')) return cancel(`Not moved to ${nameOf(target)}: ${target.dataset.reason}.`);
  // Until the answer is there, the keys leave the card where it was dropped.
  const move = lifted, above = placedBelow(card);
  move.isDropping = true;
  const form = await move.moves;
  if (lifted !== move) return;
  // The answer of the server may have come after the card was dropped.
  if (target.classList.contains('refused')) return cancel(`Not moved to ${nameOf(target)}: ${target.dataset.reason}.`);
  if (form === unreachable) return fail(form.message);
  if (!(form instanceof HTMLFormElement)) return location.reload();
  const body = new URLSearchParams(new FormData(form)), id = card.dataset.id;
  body.set('from', column.dataset.value);
  body.set('to', target.dataset.value);
  if (target.dataset.lane !== column.dataset.lane) {
    body.set('lane_from', column.dataset.lane);
    body.set('lane_to', target.dataset.lane);
  }
  if (target.dataset.page === '1') body.set('above', above);
  body.set('back', location.pathname + location.search);
  lifted = null;
  isSaving = true;
  try {
    const { response, page } = await loadPage(new URL(form.getAttribute('action'), location.href), { method: 'POST', body });
    const board = page.getElementById('board');
    if (!response.ok && response.status !== 401) { lifted = move; return fail(failureOf({ response, page })); }
    if (!board) return location.reload();
    byId('board').replaceWith(copyOf(board));
    showMessage(page);
    const message = find('section.flash');
    announce(message ? message.textContent.trim() : '');
    const moved = find(`.board-card[data-id="${id}"]`);
    if (moved) moved.focus({ preventScroll: true });
  } catch (error) {
    if (error !== unreachable) return location.reload();
    lifted = move;
    fail(error.message);
  } finally { isSaving = false; }
}
function moveBy(card, key) {
  const column = columnOf(card);
  const lane = laneOf(column), inLane = other => other && findAll('.board-column', other)[[...column.parentElement.children].indexOf(column)];
  let other = null;
  if (key === 'ArrowUp') { if (card.previousElementSibling) card.previousElementSibling.before(card); else other = inLane(lane.previousElementSibling); }
  if (key === 'ArrowDown') { if (card.nextElementSibling) card.nextElementSibling.after(card); else other = inLane(lane.nextElementSibling); }
  if (key === 'ArrowLeft') other = column.previousElementSibling;
  if (key === 'ArrowRight') other = column.nextElementSibling;
  if (other && key === 'ArrowUp') find('.board-cards', other).append(card);
  else if (other) find('.board-cards', other).prepend(card);
  card.focus();
  const now = columnOf(card), position = [...card.parentElement.children].indexOf(card) + 1;
  announce(`${nameOf(now)}, position ${position} of ${card.parentElement.children.length}${now.classList.contains('refused') ? `. Not possible: ${now.dataset.reason}` : ''}`);
}
on('keydown', event => {
  const card = event.target.closest && event.target.closest('.board-card');
  if (!card || event.target !== card || isModified(event)) return;
  const isLifted = lifted && lifted.card === card && !lifted.isDropping;
  if (event.key === ' ') { if (isLifted) drop(); else if (!lifted) lift(card); }
  else if (isLifted && event.key === 'Escape') cancel('Cancelled.');
  else if (isLifted && event.key.startsWith('Arrow')) moveBy(card, event.key);
  else return;
  event.preventDefault();
});
on('pointerdown', event => {
  const card = event.target.closest('.board-card');
  // A finger scrolls; it moves cards with the link.
  if (!card || lifted || isSaving || event.button || event.pointerType === 'touch' || !find('a.move', card)) return;
  pressed = { card, x: event.clientX, y: event.clientY };
});
on('dragstart', event => { if (event.target.closest('.board-card')) event.preventDefault(); });
on('pointermove', event => {
  if (!pressed) return;
  if (!lifted) {
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < 6) return;
    lift(pressed.card);
  }
  const { card } = pressed, under = document.elementFromPoint(event.clientX, event.clientY);
  const column = under && under.closest('.board-column');
  if (!column || !lifted) return;
  const other = under.closest('.board-card');
  if (other && other !== card) {
    const box = other.getBoundingClientRect();
    if (event.clientY < box.top + box.height / 2) other.before(card); else other.after(card);
  } else if (!other && columnOf(card) !== column) find('.board-cards', column).append(card);
});
on('pointerup', () => {
  if (!pressed) return;
  pressed = null;
  if (!lifted) return;
  // The click that follows would open the issue.
  const stop = event => { event.preventDefault(); event.stopPropagation(); };
  addEventListener('click', stop, { capture: true, once: true });
  setTimeout(() => removeEventListener('click', stop, true));
  drop();
});
on('pointercancel', () => {
  pressed = null;
  if (lifted) cancel('Cancelled.');
});
on('keydown', event => {
  if (event.key === 'Escape' && pressed && lifted) cancel('Cancelled.');
});
// The form for a new card gets the focus when it opens.
document.addEventListener('toggle', event => {
  if (event.target.open && event.target.matches('.new-card')) find('input[name="issue[subject]"]', event.target).focus();
}, true);
