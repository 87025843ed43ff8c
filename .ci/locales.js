// Writes src/sandbox/globals/locales/*.json, pinyin.txt and signs.txt from the CLDR data inside Node (its licence is Unicode-3.0).
// `node .ci/locales.js` (about five minutes); run it when a newer Node's data is wanted, then .ci/tables.js.
const fs = require('fs');
const LOCALES = ['en-US', 'en-GB', 'en-CA', 'sv-SE', 'zh-CN', 'zh-TW', 'ja-JP'];
const W = { '-': undefined, s: 'short', l: 'long', n: 'narrow' }, Y = { '-': undefined, n: 'numeric', 2: '2-digit' };
const M = { '-': undefined, n: 'numeric', 2: '2-digit', s: 'short', l: 'long', w: 'narrow' };
const CYCLES = { d: {}, t: { hour12: true }, f: { hour12: false }, 3: { hourCycle: 'h23' }, 1: { hourCycle: 'h12' } };
const BASE = Date.UTC(2027, 0, 5, 8, 7, 9, 45); // Tuesday
const MONTHS = Array.from({ length: 12 }, (_, i) => Date.UTC(2027, i, 5, 8, 7, 9, 45));
const DAYS = Array.from({ length: 7 }, (_, i) => Date.UTC(2027, 0, 3 + i, 8, 7, 9, 45)); // from Sunday
const HOURS = Array.from({ length: 24 }, (_, i) => Date.UTC(2027, 0, 5, i, 7, 9, 45));
const clean = o => Object.fromEntries(Object.entries(o).filter(([, v]) => v !== undefined));
function locale(tag) {
  const names = [], data = { names, patterns: [] };
  const list = values => { const key = JSON.stringify(values); let i = names.findIndex(n => JSON.stringify(n) === key); if (i < 0) i = names.push(values) - 1; return i; };
  const pattern = options => {
    const f = new Intl.DateTimeFormat(tag, { timeZone: 'UTC', ...options });
    const of = (t, i) => f.formatToParts(t)[i].value;
    const hc = f.resolvedOptions().hourCycle;
    return f.formatToParts(BASE).map((p, i) => {
      switch (p.type) {
        case 'literal': return p.value;
        case 'weekday': return `{E${list(DAYS.map(t => of(t, i)))}}`;
        case 'month': {
          const all = MONTHS.map(t => of(t, i));
          if (all.every((v, n) => v === String(n + 1))) return '{M}';
          if (all.every((v, n) => v === String(n + 1).padStart(2, '0'))) return '{MM}';
          return `{L${list(all)}}`;
        }
        case 'year': return p.value === '2027' ? '{y}' : p.value === '27' ? '{yy}' : fail(p);
        case 'day': return p.value === '5' ? '{d}' : p.value === '05' ? '{dd}' : fail(p);
        case 'hour': {
          const all = HOURS.map(t => f.formatToParts(t).find(p => p.type === 'hour').value);
          const want = n => hc === 'h12' ? n % 12 || 12 : hc === 'h23' ? n : hc === 'h24' ? n || 24 : n % 12;
          const c = { h12: 'h', h23: 'H', h24: 'k', h11: 'K' }[hc];
          if (all.every((v, n) => v === String(want(n)))) return `{${c}}`;
          if (all.every((v, n) => v === String(want(n)).padStart(2, '0'))) return `{${c}${c}}`;
          return fail(p);
        }
        case 'minute': return p.value === '7' ? '{m}' : '{mm}';
        case 'second': return p.value === '9' ? '{s}' : '{ss}';
        case 'fractionalSecond': return '{S}';
        case 'dayPeriod': {
          const all = HOURS.map(t => f.formatToParts(t).find(p => p.type === 'dayPeriod').value);
          if (new Set(all).size !== 2 || all[0] !== all[11] || all[12] !== all[23]) return `{B${list(all)}}`;
          return `{a${list([all[0], all[12]])}}`;
        }
        case 'timeZoneName': return '{z}';
        default: return fail(p);
      }
    }).join('');
  };
  const fail = p => { throw new Error(tag + JSON.stringify(p)); };
  const index = p => { let i = data.patterns.indexOf(p); if (i < 0) i = data.patterns.push(p) - 1; return i; };
  const dateKeys = {}, timeKeys = {};
  for (const w in W) for (const y in Y) for (const m in M) for (const d in Y) if (w + y + m + d !== '----') dateKeys[w + y + m + d] = clean({ weekday: W[w], year: Y[y], month: M[m], day: Y[d] });
  data.cycle = {};
  for (const c in CYCLES) {
    data.cycle[c] = new Intl.DateTimeFormat(tag, { hour: 'numeric', ...CYCLES[c] }).resolvedOptions().hourCycle;
    for (const h in Y) for (const m in Y) for (const s in Y) if (h + m + s !== '---') timeKeys[h + m + s + c] = clean({ hour: Y[h], minute: Y[m], second: Y[s], ...CYCLES[c] });
  }
  data.date = {}; data.time = {}; data.zoned = {}; data.dateZoned = {};
  for (const k in dateKeys) data.date[k] = index(pattern(dateKeys[k]));
  for (const k in timeKeys) {
    const short = k[0] === '-' ? k.slice(0, 3) : k.slice(0, 3) + data.cycle[k[3]].slice(1);
    const i = index(pattern(timeKeys[k]));
    if (data.time[short] !== undefined && data.time[short] !== i) { data.time[k] = i; console.error(tag, 'cycle matters', k, data.patterns[i], data.patterns[data.time[short]]); }
    else data.time[short] = i;
    const z = index(pattern({ ...timeKeys[k], timeZoneName: 'short' }));
    if (data.zoned[short] !== undefined && data.zoned[short] !== z) { data.zoned[k] = z; } else data.zoned[short] = z;
  }
  for (const k in dateKeys) data.dateZoned[k] = index(pattern({ ...dateKeys[k], timeZoneName: 'short' }));
  // Between a date and a time: learnt, and what differs is a pattern of its own.
  const seen = {}; data.glue = {}; data.special = {}; data.glues = [];
  const gi = g => { let i = data.glues.indexOf(g); if (i < 0) i = data.glues.push(g) - 1; return i; };
  let specials = 0, cells = 0;
  const timeKey = k => data.time[k] !== undefined ? k : k[0] === '-' ? k.slice(0, 3) : k.slice(0, 3) + data.cycle[k[3]].slice(1);
  for (const dk in dateKeys) {
    const counts = new Map(), found = [];
    for (const tk in timeKeys) for (const zone of ['', 'z']) {
      const whole = pattern({ ...dateKeys[dk], ...timeKeys[tk], ...(zone ? { timeZoneName: 'short' } : {}) });
      const D = data.patterns[data.date[dk]], T = data.patterns[(zone ? data.zoned : data.time)[timeKey(tk)]];
      const glue = whole.startsWith(D) && whole.endsWith(T) && whole.length >= D.length + T.length ? whole.slice(D.length, whole.length - T.length) : null;
      found.push([tk, zone, whole, glue]);
      if (glue !== null && !glue.includes('{')) counts.set(glue, (counts.get(glue) ?? 0) + 1);
    }
    const best = [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? ' ';
    data.glue[dk] = gi(best);
    for (const [tk, zone, whole, glue] of found) {
      cells++;
      if (glue === best) continue;
      specials++;
      const key = dk + timeKey(tk) + zone;
      seen[key] ??= whole;
      if (seen[key] !== whole) console.error(tag, 'special differs', key);
      data.special[key] = index(whole);
    }
  }
  data.fraction = tag === 'sv-SE' || tag === 'de-DE' ? ',' : '.';
  const STYLES = ['full', 'long', 'medium', 'short'];
  data.styles = { date: {}, time: {}, both: {} };
  for (const s of STYLES) { data.styles.date[s] = index(pattern({ dateStyle: s })); }
  for (const s of STYLES) for (const c of ['h12', 'h23']) data.styles.time[s + c.slice(1)] = index(pattern({ timeStyle: s, hourCycle: c }));
  for (const d of STYLES) for (const t of STYLES) for (const c of ['h12', 'h23']) {
    data.styles.both[d + t + c.slice(1)] = index(pattern({ dateStyle: d, timeStyle: t, hourCycle: c }));
  }
  console.error(tag, 'cells', cells, 'specials', specials, 'patterns', data.patterns.length, 'bytes', JSON.stringify(data).length, 'special keys', Object.keys(data.special).length, JSON.stringify(data.special).length, data.glues);
  return data;
}
const out = require('path').join(__dirname, '../src/sandbox/globals/');
const zones = require('child_process').execFileSync('python3', ['-c', 'import zoneinfo; print("\\n".join(sorted(zoneinfo.available_timezones())))'], { encoding: 'utf8' }).trim().split('\n');
const part = (l, z, t, s) => { try { return new Intl.DateTimeFormat(l, { timeZone: z, timeZoneName: s, hour: 'numeric' }).formatToParts(t).find(p => p.type === 'timeZoneName').value; } catch { return null; } };
const LONG = ['UTC', 'Asia/Shanghai', 'Asia/Hong_Kong', 'Asia/Taipei', 'Asia/Tokyo', 'Asia/Seoul', 'Asia/Singapore', 'Asia/Kolkata', 'Asia/Bangkok', 'Asia/Dubai', 'Europe/London', 'Europe/Paris', 'Europe/Berlin', 'Europe/Madrid', 'Europe/Rome', 'Europe/Amsterdam', 'Europe/Stockholm', 'America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'America/Toronto', 'America/Vancouver', 'Australia/Sydney', 'Australia/Melbourne', 'Pacific/Auckland'];
const CUR = ['USD', 'EUR', 'GBP', 'JPY', 'CNY', 'HKD', 'TWD', 'KRW', 'SGD', 'AUD', 'CAD', 'INR', 'CHF', 'SEK', 'RUB', 'THB', 'VND', 'MYR', 'BRL', 'NZD'];
const WINTER = Date.UTC(2027, 0, 10), SUMMER = Date.UTC(2027, 6, 10);
for (const l of LOCALES) {
  const raw = locale(l);
  const patterns = [];
  const index = p => { let i = patterns.indexOf(p); if (i < 0) i = patterns.push(p) - 1; return i; };
  const map = (o, keep = () => true) => Object.fromEntries(Object.entries(o).filter(([k]) => keep(k)).map(([k, v]) => [k, index(raw.patterns[v])]));
  const dk = k => k[0] !== 'n' && k[2] !== 'w';
  const data = { cycle: raw.cycle, fraction: raw.fraction, glues: raw.glues, names: raw.names, patterns };
  data.date = map(raw.date, dk); data.time = map(raw.time); data.zoned = map(raw.zoned); data.dateZoned = map(raw.dateZoned, dk);
  data.glue = Object.fromEntries(Object.entries(raw.glue).filter(([k]) => dk(k) && raw.glues[raw.glue[k]] !== raw.glues[0]));
  data.special = map(raw.special, dk);
  data.styles = { date: map(raw.styles.date), time: map(raw.styles.time), both: map(raw.styles.both) };
  data.styles.cycle = new Intl.DateTimeFormat(l, { timeStyle: 'short' }).resolvedOptions().hourCycle;
  // Zones: what is not written like an offset.
  const groups = {}, unsure = [];
  for (const z of zones) {
    const at = {}; let plain = true, known = true;
    for (let y = 2008; y < 2038; y++) for (const m of [0, 6]) {
      const t = Date.UTC(y, m, 10), v = part(l, z, t, 'short');
      if (v === null) { known = false; break; }
      if (v !== part(l, z, t, 'shortOffset')) plain = false;
      (at[y] ??= []).push(v);
    }
    if (!known) { unsure.push(z); continue; }
    if (plain) continue;
    const last = at[2037].join('|');
    if (Object.values(at).some(v => v.join('|') !== last) || part(l, z, WINTER, 'shortOffset') === part(l, z, SUMMER, 'shortOffset') && at[2037][0] !== at[2037][1]) unsure.push(z);
    else (groups[last] ??= []).push(z);
  }
  data.zones = { short: groups, unsure, long: Object.fromEntries(LONG.map(z => [z, z.startsWith('Australia') || z.startsWith('Pacific') ? [part(l, z, SUMMER, 'long'), part(l, z, WINTER, 'long')] : [part(l, z, WINTER, 'long'), part(l, z, SUMMER, 'long')]])) };
  // Numbers.
  const parts = (o, n) => new Intl.NumberFormat(l, o).formatToParts(n);
  const one = (o, n, t) => parts(o, n).find(p => p.type === t)?.value;
  const frame = (o, n) => { let s = '', done = false; for (const p of parts(o, n)) { if (['integer', 'decimal', 'fraction', 'group', 'nan', 'infinity'].includes(p.type)) { if (!done) s += '{n}'; done = true; } else s += p.value; } return s; };
  const number = { decimal: one({}, 1.5, 'decimal'), group: one({}, 12345, 'group'), groupsFrom: parts({}, 1234).some(p => p.type === 'group') ? 1 : 2, minus: one({}, -1, 'minusSign'), plus: one({ signDisplay: 'always' }, 1, 'plusSign'), nan: one({}, NaN, 'nan'), percent: frame({ style: 'percent' }, 1), currency: {} };
  for (const c of CUR) {
    const row = ['symbol', 'narrowSymbol', 'code'].map(d => {
      const o = { style: 'currency', currency: c, currencyDisplay: d };
      const pos = frame(o, 1), neg = frame(o, -1), acc = frame({ ...o, currencySign: 'accounting' }, -1);
      if (neg !== number.minus + pos) throw new Error(l + c + d + neg);
      return pos + (acc === neg ? '' : acc === `(${pos})` ? '' : '|' + acc);
    });
    number.currency[c] = [new Intl.NumberFormat(l, { style: 'currency', currency: c }).resolvedOptions().maximumFractionDigits, ...row];
  }
  number.accounting = frame({ style: 'currency', currency: 'USD', currencySign: 'accounting' }, -1).startsWith('(');
  if (l !== 'sv-SE') for (const d of ['short', 'long']) {
    number[d] = [];
    for (let e = 3; e < 15; e++) {
      const a = parts({ notation: 'compact', compactDisplay: d }, 10 ** e), b = parts({ notation: 'compact', compactDisplay: d }, 2 * 10 ** e);
      const suffix = ps => { let s = '', done = false; for (const p of ps) if (['integer', 'group'].includes(p.type)) done = true; else s += p.value; return s; };
      if (suffix(a) !== suffix(b)) throw new Error(l);
      number[d].push([a.filter(p => p.type === 'integer').map(p => p.value).join('').length, suffix(a)]);
    }
    number[d] = number[d].map(([n, s]) => `${n}${s}`);
  }
  data.number = number;
  fs.writeFileSync(`${out}locales/${l}.json`, JSON.stringify(data) + '\n');
}
const en = new Intl.Collator('en-US'), zh = new Intl.Collator('zh-CN');
let han = []; for (let c = 0x4e00; c <= 0x9fff; c++) han.push(String.fromCharCode(c));
fs.writeFileSync(out + 'pinyin.txt', han.sort(zh.compare).join(''));
let cand = []; for (let c = 0x20; c < 0x7f; c++) cand.push(String.fromCharCode(c)); cand.push(...'。、《》「」『』【】…—·“”‘’—–€£¥°×÷←→↑↓■□▲△○●★☆♥§¶©®');
cand = cand.filter(c => !/[0-9a-zA-Z]/.test(c) && c.normalize('NFD') === c);
const base = new Intl.Collator('en-US', { sensitivity: 'base' });
cand = [...new Set(cand)].filter(c => base.compare(c, '') !== 0 && base.compare(c, '0') < 0 && (c < '\x7f' || !cand.some(d => d < '\x7f' && base.compare(c, d) === 0)));
cand.sort(en.compare);
fs.writeFileSync(out + 'signs.txt', cand.join(''));
