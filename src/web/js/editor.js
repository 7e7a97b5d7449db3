// Text areas for wiki markup have a preview, rendered by the server. Images of the form that are not sent yet are inserted here.
function prepareEditor(editor) {
  const text = find('textarea', editor), preview = find('.editor-preview', editor), tools = find('.editor-tools', editor);
  const form = editor.closest('form'), token = form.elements.authenticity_token;
  completions(editor);
  const addKeys = () => loadScript('markup').then(() => markupKeys(text));
  if (document.activeElement === text) addKeys(); else text.addEventListener('focus', addKeys, { once: true });
  if (!token) return;
  let images = [];
  tools.hidden = false;
  prepareToolbar(editor, find('[data-toolbar]', tools));
  const select = mode => {
    findAll('[data-mode]', tools).forEach(button => button.setAttribute('aria-pressed', String(button.dataset.mode === mode)));
    preview.hidden = mode !== 'preview';
    text.hidden = mode === 'preview';
  };
  const showImages = (page, files) => {
    images.forEach(address => URL.revokeObjectURL(address));
    images = [];
    findAll('img[src^="#file-"]', page).forEach(image => {
      const file = files[image.getAttribute('src').slice(6)];
      if (file) images.push(image.src = URL.createObjectURL(file));
    });
  };
  tools.addEventListener('click', async event => {
    const mode = event.target.dataset.mode;
    if (!mode) return;
    select(mode);
    if (mode === 'write') { text.focus(); return; }
    preview.textContent = 'Loading …';
    const body = new URLSearchParams({ text: text.value }), field = find('input[type=file]', form), files = field ? [...field.files] : [];
    files.forEach(file => body.append('files[]', file.name));
    findAll('input[name^="attachments["]:checked', form).forEach(sent => body.append(sent.name, sent.value));
    try {
      const response = await fetch(editor.dataset.preview, { method: 'POST', body, headers: { 'X-CSRF-Token': token.value } });
      if (!response.ok) throw new Error(String(response.status));
      const page = element('template', { innerHTML: await response.text() });
      showImages(page.content, files);
      preview.replaceChildren(page.content);
    } catch { preview.textContent = 'The preview could not be loaded.'; }
  });
}
// The toolbar is shown to those who want it, which the browser remembers. It needs the keys for markup.
const loadToolbar = () => loadScript('markup').then(() => loadScript('toolbar'));
function prepareToolbar(editor, button) {
  const isWanted = () => { try { return localStorage.getItem('toolbar') === '1'; } catch { return false; } };
  const show = () => loadToolbar().then(() => {
    button.setAttribute('aria-pressed', String(isWanted()));
    showToolbar(editor, isWanted());
  });
  button.addEventListener('click', () => {
    try { localStorage.setItem('toolbar', isWanted() ? '0' : '1'); } catch { /* Storage is off. */ }
    show();
  });
  if (isWanted()) show();
}
// Control and Enter send the form in which somebody writes.
on('keydown', event => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
  const form = event.target.closest('form:has(.editor)');
  if (!form || event.target.matches('button, a')) return;
  event.preventDefault();
  form.requestSubmit();
});
