// The menu closes on Escape and on a click elsewhere.
document.addEventListener('click', event => document.querySelectorAll('details.menu[open]').forEach(menu => { if (!menu.contains(event.target)) menu.open = false; }));
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return;
  document.querySelectorAll('details.menu[open]').forEach(menu => {
    if (menu.contains(document.activeElement)) menu.querySelector('summary').focus();
    menu.open = false;
  });
});

// On narrow screens the links at the side are a line that scrolls; the current one comes into view.
const currentLink = document.querySelector('.side-nav [aria-current]');
if (currentLink && currentLink.parentElement.parentElement.scrollWidth > currentLink.parentElement.parentElement.clientWidth) currentLink.scrollIntoView({ block: 'nearest', inline: 'center' });
