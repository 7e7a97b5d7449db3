// Completion of @login, @"full name", #issue and :emoji in text areas.
const completionStart = /(?:^|[\s([{>*_~"',;:/])(@(?:[\w.\-@]*|"[^"\n]*)|#(?:\d{1,15}|[^\s#@\d][^\n#@]*))$|(?:^|[\s([{>*_~"',;])(:[a-z_]{2,})$/;
function completions(editor) {
  const text = find('textarea', editor), address = editor.dataset.preview.replace('/preview', '/completions');
  let timer, request, typed = '', unknown = '';
  const stop = () => { clearTimeout(timer); request?.abort(); };
  const box = listBox(text, 'Completions', entry => {
    const end = text.selectionStart;
    stop();
    text.setRangeText(entry.text + ' ', end - typed.length, end + (text.value[end] === ' ' ? 1 : 0), 'end');
    box.close();
    text.dispatchEvent(new Event('input', { bubbles: true }));
  });
  box.list.classList.add('completions');
  // The list stands below the line of the caret, which a copy of the text measures.
  const place = () => {
    const caret = element('span', {}, typed), copy = element('div', {}, text.value.slice(0, text.selectionStart - typed.length), caret), style = getComputedStyle(text);
    for (const name of ['font', 'padding', 'border', 'boxSizing', 'overflowWrap']) copy.style[name] = style[name];
    Object.assign(copy.style, { position: 'absolute', visibility: 'hidden', whiteSpace: 'pre-wrap', width: `${text.offsetWidth}px` });
    editor.append(copy);
    const top = caret.offsetTop + caret.offsetHeight - text.scrollTop + 4;
    box.list.style.top = `${text.offsetTop + Math.min(top, text.offsetHeight)}px`;
    box.list.style.left = `${Math.max(0, Math.min(caret.offsetLeft, text.offsetWidth - box.list.offsetWidth))}px`;
    copy.remove();
  };
  const load = async () => {
    const query = typed, kind = { '@': ['person', 'people'], ':': ['emoji', 'emoji'] }[query[0]] || ['issue', 'issues'];
    request = new AbortController();
    try {
      const target = new URL(address, location.href);
      target.searchParams.set('trigger', query[0]);
      target.searchParams.set('q', query.slice(1));
      if (query[0] === ':') await loadToolbar();
      const response = query[0] !== ':' && await fetch(target, { signal: request.signal });
      const found = !response ? emojiNamed(query.slice(1)) : response.ok ? (await response.json()).items : [];
      if (query !== typed || document.activeElement !== text) return;
      if (!found.length) { unknown = query; return box.close(); }
      // What may be a sentence chooses nothing by itself, so that Enter breaks the line.
      box.show(found, /\s/.test(query) ? -1 : 0, kind);
      place();
    } catch (error) { if (error.name !== 'AbortError') box.close(); }
  };
  text.addEventListener('input', event => {
    stop();
    const found = !event.isComposing && text.selectionStart === text.selectionEnd && completionStart.exec(text.value.slice(Math.max(0, text.selectionStart - 80), text.selectionStart));
    typed = found ? found[1] || found[2] : '';
    // Numbers at once, words from two characters; what begins with something unknown is unknown.
    if (!typed || /^#\D$/.test(typed) || (unknown && typed.startsWith(unknown))) return box.close();
    timer = setTimeout(load, 120);
  });
  text.addEventListener('blur', stop);
  text.addEventListener('keydown', event => { if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) { stop(); box.close(); } });
}
