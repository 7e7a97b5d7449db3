// Files that are pasted into a text, or dropped on it, are attached. Browsers name every pasted picture image.png, so it gets a unique name.
let renamed = 0;
function withOwnName(file) {
  if (file.name && !/^image\.\w+$/i.test(file.name)) return file;
  const [day, time] = new Date().toISOString().replace(/[-:]|\..*/g, '').split('T');
  const extension = file.name.split('.')[1] || (file.type.split('/')[1] || 'bin').split('+')[0];
  renamed += 1;
  return new File([file], `pasted-${day}-${time}-${renamed}.${extension}`, { type: file.type });
}
// The paper clip of the editor chooses files; they are listed, and can be taken out again.
function showChosenFiles(form, field) {
  const clip = find('[data-attach]', form), limit = field.parentElement.querySelector('small');
  if (!clip) return;
  clip.hidden = false;
  clip.title = limit ? limit.textContent : '';
  clip.addEventListener('click', () => field.click());
  field.addEventListener('change', () => {
    find('.chosen', field.parentElement)?.remove();
    const items = [...field.files].map(file => {
      const button = element('button', { type: 'button', className: 'btn plain', ariaLabel: `Remove ${file.name}` }, '×');
      button.addEventListener('click', () => {
        const kept = new DataTransfer();
        [...field.files].filter(other => other !== file).forEach(other => kept.items.add(other));
        field.files = kept.files;
        field.dispatchEvent(new Event('change', { bubbles: true }));
        clip.focus();
      });
      return element('li', {}, file.name, button);
    });
    if (items.length) field.after(element('ul', { className: 'chosen', ariaLabel: 'Files' }, ...items));
  });
}
const hasFiles = event => event.dataTransfer?.types.includes('Files');
findAll('form[enctype="multipart/form-data"]').forEach(form => {
  const field = find('input[type=file]', form), texts = [...findAll('.editor textarea', form)];
  if (!field || !texts.length) return;
  showChosenFiles(form, field);
  const attach = (event, text, transfer) => {
    if (!transfer || !transfer.files.length) return;
    event.preventDefault();
    const added = [...transfer.files].map(withOwnName), all = new DataTransfer();
    [...field.files, ...added].forEach(file => all.items.add(file));
    field.files = all.files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
    const inMarkdown = name => /[\s()]/.test(name) ? `![](<${name}>)` : `![](${name})`, inTextile = name => `!${name}!`;
    const names = added.filter(file => file.type.startsWith('image/')).map(file => (document.body.dataset.markup === 'textile' ? inTextile : inMarkdown)(file.name));
    insertText(text, names.join(' '));
  };
  // The keys for markup, which paste tables of spreadsheets, may not be loaded yet.
  texts.forEach(text => text.addEventListener('paste', event => { if (!event.clipboardData || !window.pastedTable?.(event.clipboardData)) attach(event, text, event.clipboardData); }));
  // Files that miss the text are attached as well.
  form.addEventListener('dragover', event => { if (hasFiles(event)) { event.preventDefault(); form.classList.add('drop-target'); } });
  form.addEventListener('dragleave', event => { if (!form.contains(event.relatedTarget)) form.classList.remove('drop-target'); });
  form.addEventListener('drop', event => {
    form.classList.remove('drop-target');
    if (hasFiles(event) && event.target !== field) attach(event, texts.includes(event.target) ? event.target : texts[0], event.dataTransfer);
  });
});
// A file that misses the form must not replace a page with text in it.
if (find('.editor')) {
  ['dragover', 'drop'].forEach(name => on(name, event => {
    if (hasFiles(event) && !event.defaultPrevented && !event.target.matches('input[type=file]')) {
      event.preventDefault();
      if (name === 'dragover') event.dataTransfer.dropEffect = 'none';
    }
  }));
}
