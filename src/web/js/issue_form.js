// Forms of issues: a choice that changes the fields sends the form, a saved reply is inserted, and similar issues follow the subject.
function submitWith(form, action) {
  const button = element('button', { name: 'do', value: action, formNoValidate: true, hidden: true });
  form.append(button);
  form.requestSubmit(button);
}
async function pageOf(form, fields) {
  const body = new URLSearchParams({ authenticity_token: form.elements.authenticity_token.value, ...fields });
  const { response, page } = await loadPage(form.action, { method: 'POST', body });
  if (!response.ok) throw new Error(String(response.status));
  return page;
}
on('change', async event => {
  const control = event.target, form = control.form;
  if (!form || !control.name) return;
  if ((form.dataset.refresh || '').split(' ').includes(control.name)) submitWith(form, 'refresh');
  if (control.name === 'template_id' && control.value) submitWith(form, 'template');
  if (!control.matches('select[data-reply]') || !control.value) return;
  const text = find('.editor textarea', form), id = control.value;
  control.value = '';
  try {
    const page = await pageOf(form, { do: 'reply', reply_id: id });
    insertText(text, find('#update textarea', page).value);
    text.focus();
  } catch { control.value = id; submitWith(form, 'reply'); }
});
const similarIssues = byId('similar');
if (similarIssues) {
  const form = similarIssues.closest('form'), subject = form.elements['issue[subject]'];
  let timer, last = '';
  subject.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const words = last = subject.value.trim(), fields = { do: 'similar', 'issue[subject]': words };
      if (form.elements['issue[project_id]']) fields['issue[project_id]'] = form.elements['issue[project_id]'].value;
      try {
        const page = words.length < 5 ? document.implementation.createHTMLDocument() : await pageOf(form, fields);
        const next = page.getElementById('similar');
        if (words === last) similarIssues.replaceChildren(...(next ? copyOf(next).childNodes : []));
      } catch { /* the list is no more than a hint */ }
    }, 500);
  });
}
// A subject that begins with words of a template is continued.
const subjectField = find('input[name="issue[subject]"]');
if (subjectField) subjectField.setSelectionRange(subjectField.value.length, subjectField.value.length);
// An address with a part of the page keeps the summary of errors from the focus.
const errorSummary = byId('errors');
if (errorSummary) errorSummary.focus();
