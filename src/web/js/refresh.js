// Parts of pages that change by themselves, such as the progress of a rebuild.
function refresh(part) {
  const delay = Number(part.dataset.refresh);
  if (!delay || !part.id) return;
  setTimeout(async () => {
    let next = part;
    try {
      const reply = await fetch(location.href, { headers: { accept: 'text/html' }, credentials: 'same-origin' });
      if (reply.ok && !reply.redirected) {
        const page = parsePage(await reply.text());
        const found = page.getElementById(part.id);
        if (found) { next = document.importNode(found, true); part.replaceWith(next); }
      }
    } catch { /* the next attempt may succeed */ }
    refresh(next);
  }, delay);
}
for (const part of document.querySelectorAll('[data-refresh]')) refresh(part);
