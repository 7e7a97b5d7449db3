// Times of the last thirty days, relative to now.
const units = [['day', 86400], ['hour', 3600], ['minute', 60]];
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
function relativeTime(time) {
  const age = (Date.now() - time) / 1000, unit = units.find(([, seconds]) => age >= seconds);
  return age >= 0 && age < 30 * 86400 && (unit ? words.format(-Math.floor(age / unit[1]), unit[0]) : 'just now');
}
function updateRelativeTimes() {
  findAll('time[data-relative]').forEach(time => { time.textContent = relativeTime(Date.parse(time.dateTime)) || time.textContent; });
}
updateRelativeTimes();
setInterval(updateRelativeTimes, 60000);
