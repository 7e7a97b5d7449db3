// The menu closes on Escape and on a click elsewhere.
on('click', event => findAll('details.menu[open]').forEach(menu => { if (!menu.contains(event.target)) menu.open = false; }));
on('keydown', event => {
  if (event.key !== 'Escape') return;
  findAll('details.menu[open]').forEach(menu => {
    if (menu.contains(document.activeElement)) find('summary', menu).focus();
    menu.open = false;
  });
});

// On narrow screens the links at the side are a line that scrolls; the current one comes into view.
const currentLink = find('.side-nav [aria-current]'), line = currentLink && currentLink.closest('.side-nav');
if (line && line.scrollWidth > line.clientWidth) currentLink.scrollIntoView({ block: 'nearest', inline: 'center' });
