// The inbox: e, m and u press the buttons of the entry with the focus.
on('keydown', event => {
  const entry = !isModified(event) && !event.target.matches('input[type=search]') && document.activeElement.closest('.inbox > li');
  const button = entry && 'emu'.includes(event.key) && find(`[data-key=${event.key}]`, entry);
  if (button) button.click();
});
