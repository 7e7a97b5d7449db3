// Text areas for wiki markup have a preview, rendered by the server. Images of the form that are not sent yet are inserted here.
let prepareEditor; // Also for editors that are shown later.
document.querySelectorAll('.editor[data-preview]').forEach(prepareEditor = editor => {
  const text = editor.querySelector('textarea'), preview = editor.querySelector('.editor-preview'), tools = editor.querySelector('.editor-tools');
  const form = editor.closest('form'), token = form.elements.authenticity_token;
  if (!token) return;
  let images = [];
  tools.hidden = false;
  const select = mode => {
    tools.querySelectorAll('button').forEach(button => button.setAttribute('aria-pressed', String(button.dataset.mode === mode)));
    preview.hidden = mode !== 'preview';
    text.hidden = mode === 'preview';
  };
  const showImages = (page, files) => {
    images.forEach(address => URL.revokeObjectURL(address));
    images = [];
    page.querySelectorAll('img[src^="#file-"]').forEach(image => {
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
    const body = new URLSearchParams({ text: text.value }), field = form.querySelector('input[type=file]'), files = field ? [...field.files] : [];
    files.forEach(file => body.append('files[]', file.name));
    form.querySelectorAll('input[name^="attachments["]:checked').forEach(sent => body.append(sent.name, sent.value));
    try {
      const response = await fetch(editor.dataset.preview, { method: 'POST', body, headers: { 'X-CSRF-Token': token.value } });
      if (!response.ok) throw new Error(String(response.status));
      const page = document.createElement('template');
      page.innerHTML = await response.text();
      showImages(page.content, files);
      preview.replaceChildren(page.content);
    } catch { preview.textContent = 'The preview could not be loaded.'; }
  });
});
