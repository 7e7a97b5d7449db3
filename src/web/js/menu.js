// The menu closes on Escape and on a click elsewhere.
on('click', event => findAll('details.menu[open]').forEach(menu => { if (!menu.contains(event.target)) menu.open = false; }));
on('keydown', event => {
  if (event.key !== 'Escape') return;
  findAll('details.menu[open]').forEach(menu => {
    if (menu.contains(document.activeElement)) find('summary', menu).focus();
    menu.open = false;
  });
});

// Details that somebody has opened once stay open.
findAll('details[data-kept-open]').forEach(fold => {
  try { fold.open = fold.open || Boolean(localStorage.getItem(`open:${fold.id}`)); } catch { /* Storage is off. */ }
});
document.addEventListener('toggle', event => {
  const fold = event.target;
  if (!('keptOpen' in fold.dataset)) return;
  try { if (fold.open) localStorage.setItem(`open:${fold.id}`, '1'); else localStorage.removeItem(`open:${fold.id}`); } catch { /* Storage is off. */ }
}, true);

// On narrow screens the links at the side are a line that scrolls; the current one comes into view.
const currentLink = find('.side-nav [aria-current]'), line = currentLink && currentLink.closest('.side-nav');
if (line && line.scrollWidth > line.clientWidth) currentLink.scrollIntoView({ block: 'nearest', inline: 'center' });
