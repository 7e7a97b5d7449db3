// Rows of a list that has an order are dragged by the cell with the buttons, which do the same.
let dragged = null;
const rowWithOrder = target => target.closest && target.closest('tr:has(> td.order)');
document.addEventListener('pointerdown', event => {
  const cell = event.target.closest('td.order');
  if (cell) cell.parentElement.draggable = true;
});
document.addEventListener('dragstart', event => {
  dragged = rowWithOrder(event.target);
  if (dragged) event.dataTransfer.effectAllowed = 'move';
});
document.addEventListener('dragover', event => {
  const row = rowWithOrder(event.target);
  if (!dragged || !row || row === dragged || row.parentElement !== dragged.parentElement) return;
  event.preventDefault();
  const middle = row.getBoundingClientRect().top + row.offsetHeight / 2;
  if (event.clientY < middle) row.before(dragged); else row.after(dragged);
});
document.addEventListener('dragend', () => {
  if (!dragged) return;
  const row = dragged, form = row.querySelector('td.order form'), button = form.querySelector('button');
  dragged = null;
  row.draggable = false;
  const position = [...row.parentElement.children].indexOf(row) + 1;
  replacePart(form, { name: button.name, value: String(position), dataset: button.dataset, hasAttribute: () => false }, form.dataset.part);
});
