// Times of the last thirty days, relative to now.
const units = [['day', 86400], ['hour', 3600], ['minute', 60]];
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
function updateRelativeTimes() {
  document.querySelectorAll('time[data-relative]').forEach(time => {
    const age = (Date.now() - Date.parse(time.dateTime)) / 1000;
    if (!(age >= 0 && age < 30 * 86400)) return;
    const unit = units.find(([, seconds]) => age >= seconds);
    time.textContent = unit ? words.format(-Math.floor(age / unit[1]), unit[0]) : 'just now';
  });
}
updateRelativeTimes();
setInterval(updateRelativeTimes, 60000);
