// Parts of pages that change by themselves, such as the progress of a rebuild.
function refresh(part) {
  const delay = Number(part.dataset.refresh);
  if (!delay || !part.id) return;
  setTimeout(async () => {
    let next = part;
    try {
      const { response, page } = await loadPage(location.href), found = page.getElementById(part.id);
      if (response.ok && !response.redirected && found) { next = copyOf(found); part.replaceWith(next); }
    } catch { /* the next attempt may succeed */ }
    refresh(next);
  }, delay);
}
findAll('[data-refresh]').forEach(refresh);
