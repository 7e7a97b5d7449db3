// Parts of the script that only some pages need are loaded with the first element that needs them.
const scripts = document.currentScript.dataset, loads = {};
function loadScript(name) {
  return loads[name] ||= new Promise(resolve => {
    const script = element('script', { src: scripts[name] });
    script.addEventListener('load', resolve);
    document.head.append(script);
  });
}
function loadParts(root) {
  if (find('table.list, .sortable, [data-needs], [data-submit], [data-narrows], [data-copy], form[data-recent]', root)) loadScript('list');
  if (find('#dates [data-dates]', root)) loadScript('dates');
  if (find('[data-tasks]', root)) loadScript('ticks');
  const editors = [...findAll('.editor[data-preview]', root)];
  if (editors.length) loadScript('editor').then(() => editors.forEach(prepareEditor));
}
loadParts(document);
on('submit', event => { if (event.target.matches('form[action$="/logout"]')) forget('quarry-searches-'); });
