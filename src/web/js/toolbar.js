// The toolbar of text areas for wiki markup, and emoji by their names. Loaded when somebody uses one of them.
const tools = [
  ['B', 'Strong (Ctrl+B)', field => toggleMark(field, 'b')],
  ['I', 'Emphasis (Ctrl+I)', field => toggleMark(field, 'i')],
  ['Link', 'Link (Ctrl+K)', field => toggleMark(field, 'k')],
  ['List', 'List', field => startLines(field, isTextile ? '* ' : '- ')],
  ['1. List', 'Numbered list', field => startLines(field, isTextile ? '# ' : '1. ')],
  ...(isTextile ? [] : [['Tasks', 'List of tasks', field => startLines(field, '- [ ] ')]]),
  ['Quote', 'Quotation', field => startLines(field, '> ')],
  ['Code', 'Code block', field => surroundLines(field, ...(isTextile ? ['<pre>', '</pre>'] : ['```', '```']))],
];
function selectedLines(field) {
  const { from } = lineOf(field), end = field.value.indexOf('\n', field.selectionEnd), to = end < 0 ? field.value.length : end;
  return { from, to, lines: field.value.slice(from, to).split('\n') };
}
function startLines(field, start) {
  const { from, to, lines } = selectedLines(field), isStarted = lines.every(line => line.startsWith(start));
  replaceText(field, from, to, lines.map(line => isStarted ? line.slice(start.length) : start + line).join('\n'));
}
function surroundLines(field, before, after) {
  const { from, to, lines } = selectedLines(field);
  replaceText(field, from, to, [before, ...lines, after].join('\n'));
  field.setSelectionRange(from + before.length + 1, from + before.length + 1 + lines.join('\n').length);
}
function showToolbar(editor, isShown) {
  let bar = find('.toolbar', editor);
  if (!bar && isShown) {
    const field = find('textarea', editor);
    bar = element('div', { className: 'toolbar', role: 'toolbar', ariaLabel: 'Markup' }, ...tools.map(([label, title, act]) => {
      const button = element('button', { type: 'button', className: 'btn plain', title, ariaLabel: title }, label);
      button.addEventListener('click', () => act(field));
      return button;
    }));
    field.before(bar);
  }
  if (bar) bar.hidden = !isShown;
}
const emoji = Object.fromEntries('smile 😄,grin 😁,joy 😂,wink 😉,thinking 🤔,sad 😢,cry 😭,angry 😠,surprised 😮,cool 😎,tired 😴,sweat 😅,shrug 🤷,thumbsup 👍,thumbsdown 👎,clap 👏,wave 👋,pray 🙏,muscle 💪,eyes 👀,heart ❤️,broken_heart 💔,tada 🎉,party 🥳,fire 🔥,rocket 🚀,star ⭐,sparkles ✨,bulb 💡,bug 🐛,wrench 🔧,hammer 🔨,gear ⚙️,lock 🔒,key 🔑,warning ⚠️,stop 🛑,construction 🚧,check ✅,cross ❌,question ❓,exclamation ❗,hourglass ⏳,clock 🕐,calendar 📅,memo 📝,pin 📌,link 🔗,mail 📧,phone 📞,computer 💻,package 📦,chart 📈,book 📖,money 💰,coffee ☕,pizza 🍕,cake 🎂,sun ☀️,rain 🌧️,snow ❄️,earth 🌍,tree 🌳,dog 🐶,cat 🐱,car 🚗,plane ✈️,house 🏠,trophy 🏆,medal 🏅'.split(',').map(entry => entry.split(' ')));
function emojiNamed(words) {
  const names = Object.keys(emoji).filter(name => name.includes(words)).sort((a, b) => b.startsWith(words) - a.startsWith(words));
  return names.slice(0, 8).map(name => ({ text: emoji[name], label: `${emoji[name]} ${name}`, details: '' }));
}
