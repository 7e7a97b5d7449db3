// Keys and pasted tables in text areas for wiki markup, in Markdown or Textile.
const isTextile = document.body.dataset.markup === 'textile';
const marks = isTextile ? { b: ['*', '*'], i: ['_', '_'], k: ['"', '":'] } : { b: ['**', '**'], i: ['_', '_'], k: ['[', ']('] };
// Changes that go through the browser can be undone.
function replaceText(field, from, to, text) {
  field.focus();
  field.setSelectionRange(from, to);
  if (text) document.execCommand('insertText', false, text);
  else if (from !== to) document.execCommand('delete');
}
// Puts marks around the selection, or removes them. A link waits for its address.
function toggleMark(field, key) {
  const [before, after] = marks[key], { selectionStart: from, selectionEnd: to, value } = field, text = value.slice(from, to);
  if (key === 'k') {
    const end = isTextile ? '' : ')', isAddress = /^(https?:\/\/|\/|mailto:)\S+$/.test(text);
    replaceText(field, from, to, isAddress ? `${before}${after}${text}${end}` : `${before}${text}${after}${end}`);
    const caret = isAddress || !text ? from + before.length : from + before.length + text.length + after.length;
    return field.setSelectionRange(caret, caret);
  }
  if (value.slice(from - before.length, from) === before && value.slice(to, to + after.length) === after) {
    replaceText(field, from - before.length, to + after.length, text);
    return field.setSelectionRange(from - before.length, to - before.length);
  }
  replaceText(field, from, to, before + text + after);
  field.setSelectionRange(from + before.length, to + before.length);
}
// The beginning of an item of a list: indentation, mark, check box.
const itemStart = isTextile ? /^()([*#]+) ()/ : /^(\s*)([-*+]|\d+[.)]) (\[[ xX]\] )?/;
function lineOf(field) {
  const from = field.value.lastIndexOf('\n', field.selectionStart - 1) + 1, end = field.value.indexOf('\n', field.selectionStart);
  return { from, line: field.value.slice(from, end < 0 ? field.value.length : end) };
}
// Enter starts the next item, and ends the list in an empty one.
function continueList(field) {
  const { from, line } = lineOf(field), item = itemStart.exec(line), caret = field.selectionStart;
  if (!item || caret !== field.selectionEnd || caret < from + item[0].length) return false;
  if (line === item[0] || line.trim() === item[0].trim()) { replaceText(field, from, from + line.length, ''); return true; }
  const mark = item[2].replace(/\d+/, number => Number(number) + 1);
  replaceText(field, caret, caret, `\n${item[1]}${mark} ${item[3] ? '[ ] ' : ''}`);
  return true;
}
// Tab indents the items of the selection, with Shift it takes the indentation back.
function indentList(field, isBack) {
  const { from } = lineOf(field), end = field.value.indexOf('\n', field.selectionEnd), to = end < 0 ? field.value.length : end;
  const lines = field.value.slice(from, to).split('\n');
  if (!itemStart.test(lines[0])) return false;
  const indented = lines.map(line => {
    if (isTextile) return isBack ? line.replace(/^([*#])(?=[*#])/, '') : line.replace(/^[*#]/, '$&$&');
    return isBack ? line.replace(/^ {1,4}/, spaces => spaces.slice(indentOf(line))) : ' '.repeat(indentOf(line)) + line;
  });
  const text = indented.join('\n'), isRange = field.selectionStart !== field.selectionEnd;
  const caret = Math.max(from, field.selectionStart + indented[0].length - lines[0].length);
  if (text === lines.join('\n')) return true;
  replaceText(field, from, to, text);
  field.setSelectionRange(isRange ? from : caret, isRange ? from + text.length : caret);
  return true;
}
// Numbered items need more than those with a dash.
const indentOf = line => /^\s*\d/.test(line) ? 3 : 2;
// Escape lets Tab leave the field once, so that the keyboard is never caught in it.
let isLeaving = false;
function markupKeys(field) {
  field.dataset.keys = 'markup';
  field.addEventListener('keydown', event => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = event.key.toLowerCase(), isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    let isDone = false;
    if (isCommand && marks[key]) { toggleMark(field, key); isDone = true; }
    else if (key === 'enter' && !isModified(event) && !event.shiftKey) isDone = continueList(field);
    else if (key === 'tab' && !isModified(event) && !isLeaving) isDone = indentList(field, event.shiftKey);
    if (key !== 'shift') isLeaving = key === 'escape';
    if (isDone) event.preventDefault();
  });
  field.addEventListener('blur', () => { isLeaving = false; });
  field.addEventListener('paste', event => {
    const table = event.clipboardData && pastedTable(event.clipboardData);
    if (!table || event.clipboardData.files.length && !event.clipboardData.types.includes('text/html')) return;
    event.preventDefault();
    const isAtStart = !field.selectionStart || field.value[field.selectionStart - 1] === '\n';
    replaceText(field, field.selectionStart, field.selectionEnd, (isAtStart ? '' : '\n\n') + table);
  });
}
// Cells of a spreadsheet come as text with tabs, and as HTML with a table.
function pastedTable(clipboard) {
  const text = clipboard.getData('text/plain').replace(/\r\n?/g, '\n').replace(/\n+$/, ''), rows = text.split('\n').map(line => line.split('\t'));
  const width = rows[0].length, isTable = /<table/i.test(clipboard.getData('text/html')) || rows.length > 1;
  if (width < 2 || !isTable || rows.some(row => row.length !== width)) return '';
  const cells = row => row.map(cell => cell.trim().replaceAll('|', isTextile ? '&#124;' : '\\|'));
  if (isTextile) return rows.map((row, at) => `|${cells(row).map(cell => (at ? '' : '_. ') + cell).join('|')}|`).join('\n') + '\n';
  const lines = rows.map(row => `| ${cells(row).join(' | ')} |`);
  lines.splice(1, 0, `|${' --- |'.repeat(width)}`);
  return lines.join('\n') + '\n';
}
