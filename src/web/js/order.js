// Reorders rows by drag and drop. The handle is the cell with the buttons Move up and Move down.
let dragged = null, placeBefore = null, isDropped = false;
const rowWithOrder = target => target.closest && target.closest('tr:has(> td.order)');
on('pointerdown', event => {
  const cell = event.target.closest('td.order');
  if (cell) cell.parentElement.draggable = true;
});
on('dragstart', event => {
  dragged = rowWithOrder(event.target);
  if (!dragged) return;
  placeBefore = dragged.nextElementSibling;
  isDropped = false;
  event.dataTransfer.effectAllowed = 'move';
});
on('dragover', event => {
  const row = rowWithOrder(event.target);
  if (!dragged || !row || row.parentElement !== dragged.parentElement) return;
  event.preventDefault();
  if (row === dragged) return;
  const middle = row.getBoundingClientRect().top + row.offsetHeight / 2;
  if (event.clientY < middle) row.before(dragged); else row.after(dragged);
});
on('drop', event => {
  if (!dragged || !rowWithOrder(event.target)) return;
  event.preventDefault();
  isDropped = true;
});
on('dragend', () => {
  if (!dragged) return;
  const row = dragged, next = placeBefore, form = find('td.order form', row), button = find('button', form);
  dragged = null;
  row.draggable = false;
  // Cancelled, such as with Escape: the row goes back.
  const putBack = () => row.parentElement.insertBefore(row, next);
  if (!isDropped) putBack();
  if (row.nextElementSibling === next) return;
  const position = [...row.parentElement.children].indexOf(row) + 1;
  replacePart({ form, address: form.action, name: button.name, value: position, focus: button.dataset.focus, id: form.dataset.part }).then(isReplaced => { if (!isReplaced) putBack(); });
});
