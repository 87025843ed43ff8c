// Writes tests/sandbox/tables/*.tsv: small expressions and what Node makes of them. `node .ci/tables.js` (Node 20 or later).
// Each row is: zone, expression, what String() of it is; `!Name` where Node throws an error of that name.
const { execFileSync } = require('child_process');
const fs = require('fs'), path = require('path');
const folder = path.join(__dirname, '../tests/sandbox/tables');
let seed = 1;
const rnd = n => { seed = seed + 0x6D2B79F5 | 0; let t = Math.imul(seed ^ seed >>> 15, 1 | seed); t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t; return Math.floor(((t ^ t >>> 14) >>> 0) / 4294967296 * n); };
const pick = list => list[rnd(list.length)];
const maybe = (o, name, values, percent) => { if (rnd(100) < percent) o[name] = pick(values); };
const code = value => value === undefined ? 'undefined' : JSON.stringify(value);

const locales = () => {
  const rows = [], L = ['en-US', 'en-US', 'en-GB', 'zh-CN', 'zh-CN', 'zh-TW', 'ja-JP', 'sv-SE', 'en-CA', undefined];
  const Z = ['UTC', 'Asia/Shanghai', 'Asia/Tokyo', 'America/New_York', 'Europe/London', 'Asia/Kolkata', 'Australia/Sydney', 'Pacific/Chatham'];
  const STYLES = ['full', 'long', 'medium', 'short'];
  for (let i = 0; i < 330; i++) {
    const o = {};
    maybe(o, 'timeZone', Z, 75);
    if (rnd(4) === 0) { maybe(o, 'dateStyle', STYLES, 70); maybe(o, 'timeStyle', STYLES, 70); maybe(o, 'hour12', [true, false], 20); } else if (rnd(5) > 0) {
      maybe(o, 'weekday', ['short', 'long'], 30); maybe(o, 'year', ['numeric', '2-digit'], 55); maybe(o, 'month', ['numeric', '2-digit', 'short', 'long'], 55); maybe(o, 'day', ['numeric', '2-digit'], 55);
      maybe(o, 'hour', ['numeric', '2-digit'], 45); maybe(o, 'minute', ['numeric', '2-digit'], 45); maybe(o, 'second', ['numeric', '2-digit'], 25); maybe(o, 'hour12', [true, false], 20);
      maybe(o, 'hourCycle', ['h23', 'h12'], 8); maybe(o, 'timeZoneName', ['short', 'shortOffset', 'long'], 8); maybe(o, 'fractionalSecondDigits', [1, 3], 4);
    }
    const at = new Date(Date.UTC(2009 + rnd(28), rnd(12), 1 + rnd(28), rnd(24), rnd(60), rnd(60), rnd(1000))).toISOString();
    const name = pick(['toLocaleString', 'toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']);
    const how = rnd(6);
    rows.push(how === 0 ? `new Intl.DateTimeFormat(${code(pick(L))}, ${code(o)}).format(new Date('${at}'))` : how === 1 ? `JSON.stringify(new Intl.DateTimeFormat(${code(pick(L))}, ${code(o)}).formatToParts(new Date('${at}')))` : `new Date('${at}').${name}(${code(pick(L))}, ${code(o)})`);
  }
  for (let i = 0; i < 220; i++) {
    const o = {};
    maybe(o, 'style', ['decimal', 'percent', 'currency'], 50);
    if (o.style === 'currency') { o.currency = pick(['USD', 'CNY', 'JPY', 'EUR', 'SEK', 'TWD']); maybe(o, 'currencyDisplay', ['symbol', 'narrowSymbol', 'code'], 30); maybe(o, 'currencySign', ['accounting'], 20); }
    maybe(o, 'minimumFractionDigits', [0, 1, 2, 3], 20); maybe(o, 'maximumFractionDigits', [0, 1, 2, 3, 5], 25); maybe(o, 'minimumSignificantDigits', [1, 2, 3], 8); maybe(o, 'maximumSignificantDigits', [2, 3, 5], 8); maybe(o, 'minimumIntegerDigits', [1, 2, 5], 8);
    maybe(o, 'useGrouping', [true, false, 'min2', 'always'], 15); maybe(o, 'notation', ['compact'], 15); maybe(o, 'compactDisplay', ['short', 'long'], 15); maybe(o, 'signDisplay', ['never', 'always', 'exceptZero', 'negative'], 15);
    const n = pick(['0', '-0', 'NaN', 'Infinity', '1', '12', '999.5', '999999', '1e6', '1234567.891', '-1234.5', '0.5', '0.005', '1.005', '2.5', '1e21', '5e-7', '0.1 + 0.2', '12345678901234567890n', '-5n', '9876.54321', '1.5e12']);
    rows.push(rnd(5) === 0 ? `JSON.stringify(new Intl.NumberFormat(${code(pick(L))}, ${code(o)}).formatToParts(${n}))` : rnd(4) === 0 ? `new Intl.NumberFormat(${code(pick(L))}, ${code(o)}).format(${n})` : `(${n}).toLocaleString(${code(pick(L))}, ${code(o)})`);
  }
  const words = ['apple', 'Apple', 'äpfel', 'Zebra', 'zebra', '10', '9', 'item 2', 'item 10', '张三', '李四', '王五', '阿明', 'Ming', 'résumé', 'resume', '', ' a', '#tag', '@all', '北京', '上海', '重庆', '你好', '中文 a', '中文 b'];
  for (const l of [undefined, 'en', 'zh-CN']) for (const o of [undefined, { numeric: true }, { sensitivity: 'base' }]) {
    for (let i = 0; i < 6; i++) rows.push(`${code(pick(words))}.localeCompare(${code(pick(words))}, ${code(l)}, ${code(o)})`);
    rows.push(`${code(words)}.sort(new Intl.Collator(${code(l)}, ${code(o)}).compare).join('|')`);
  }
  rows.push(...[
    '[1234.5, new Date(0)].toLocaleString("en-US")', 'const a = [1, null]; a.push(a); a.toLocaleString()', 'new Float32Array([1234.5, 2]).toLocaleString()', '(1234.5).toLocaleString()', '(1234567n).toLocaleString("zh-CN")', 'new Date(NaN).toLocaleString()', 'new Date(NaN).toLocaleDateString("en-US", { timeZone: "UTC" })',
    'new Intl.DateTimeFormat().resolvedOptions().timeZone', 'Intl.DateTimeFormat("zh-CN").resolvedOptions().locale', 'Intl.DateTimeFormat("en", { hour: "numeric" }).resolvedOptions().hourCycle', 'typeof Intl.NumberFormat("en").format', 'Object.prototype.toString.call(Intl)',
    '[1, 2, 3].map(Intl.NumberFormat("en-US", { style: "percent" }).format).join()', 'new Intl.DateTimeFormat("xx_y")', 'new Date(0).toLocaleString("en_US")', 'new Date(0).toLocaleString("en-US", { timeZone: "Mars/Olympus" })', 'new Date(0).toLocaleString("en-US", { timeZone: "asia/shanghai" })',
    'new Date(0).toLocaleString("en-US", { month: "middle" })', 'new Date(0).toLocaleString("en-US", { dateStyle: "short", year: "numeric" })', 'new Date(0).toLocaleDateString("en-US", { timeStyle: "short" })', '(1).toLocaleString("en-US", { style: "currency" })', '(1).toLocaleString("en-US", { maximumFractionDigits: 101 })', 'Date.prototype.toLocaleString.call({})', 'new Intl.DateTimeFormat("en-US").format(new Date(NaN))', '(1).toLocaleString(null)',
    'new Date(0).toLocaleString("fr-FR")', '(1.5).toLocaleString("de-DE")', '"a".localeCompare("b", "de")', 'new Date(0).toLocaleDateString("ar-EG")', '(5).toLocaleString("en-US", { style: "unit", unit: "kilometer" })', 'new Date(0).toLocaleDateString("en-US", { era: "short" })', 'new Date(0).toLocaleDateString("ja-JP-u-ca-japanese")', '"啊".localeCompare("𠀀", "zh-CN")', '"I".toLocaleLowerCase("tr")', '"I".toLocaleLowerCase("en-US")', '"ß".toLocaleUpperCase()',
    'new Intl.PluralRules("en").select(1)', '[1, 2, 3, 4, 11, 21, 112].map(n => new Intl.PluralRules("en", { type: "ordinal" }).select(n)).join()', 'new Intl.PluralRules("zh-CN").select(1)', 'new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(-1, "day")', 'new Intl.RelativeTimeFormat("zh-CN").format(3, "hours")', 'new Intl.RelativeTimeFormat("en").format(1, "eon")', 'new Intl.ListFormat("en").format(["a", "b", "c"])', 'new Intl.ListFormat("zh-CN", { type: "disjunction" }).format(["甲", "乙", "丙"])', '[...new Intl.Segmenter("zh").segment("a👨‍👩‍👧é中")].map(s => s.segment).join("|")', '[...new Intl.Segmenter("zh", { granularity: "word" }).segment("你好世界")].length', 'Intl.getCanonicalLocales("EN-us").join()', 'Intl.DateTimeFormat.supportedLocalesOf(["en-US", "zh-CN"]).join()', 'new Intl.Locale("zh-Hans-CN").language', 'new Intl.DisplayNames("en", { type: "region" }).of("CN")',
  ]);
  return ['Asia/Shanghai', 'America/New_York'].flatMap((zone, i) => rows.filter((_, n) => n % 2 === i || n >= 600).map(row => [zone, row]));
};

const dates = () => {
  const rows = [
    'new Date(2026, 2, 8, 1, 59).toISOString()', 'new Date(2026, 2, 8, 2, 30).toISOString()', 'new Date(2026, 2, 8, 3, 0).toISOString()', 'new Date(2026, 2, 8, 6, 0).toISOString()', 'new Date(2026, 10, 1, 1, 30).toISOString()', 'new Date(2026, 10, 1, 4, 30).toISOString()', 'new Date(2026, 0).toISOString()', 'new Date(99, 0).getFullYear()', 'new Date(2026, 11, 7).getDay()', 'new Date(0).getHours()', 'new Date(0).getTimezoneOffset()', 'new Date(2026, 6, 1).getTimezoneOffset()',
    'String(new Date(0)).slice(0, 33)', 'new Date(0).toDateString()', 'new Date(0).toTimeString().slice(0, 17)', 'typeof Date()', 'Date.length', 'Date.name', 'new Date(0) instanceof Date', 'new Date(0).constructor === Date', 'class D extends Date { x() { return this.getTime() } }\nnew D(5).x()', 'new Date(new Date(7)).getTime()', 'new Date(undefined).getTime()', 'new Date(null).getTime()', 'new Date(true).getTime()', 'new Date({ valueOf: () => 9 }).getTime()', 'new Date(8.64e15 + 1).getTime()', 'new Date(2026, NaN).getTime()', 'new Date(5n)', 'new Date(Symbol())', 'Date.parse()', 'JSON.stringify(new Date(0))', 'Object.keys(Date).join()', 'Date.prototype.constructor === Date', 'new Date(2026, 0, 31, 25, 61, 61, 1001).toISOString()',
    'const d = new Date(2026, 2, 7, 2, 30); d.setDate(8); d.toISOString()', 'const d = new Date(2026, 2, 8, 0, 0); d.setHours(5); d.toISOString()', 'const d = new Date(0); d.setMonth(6); d.toISOString()', 'const d = new Date(NaN); d.setFullYear(2026); d.toISOString()', 'const d = new Date(NaN); d.setHours(1); d.getTime()', 'const d = new Date(2026, 10, 1); d.setHours(12, 5, 6, 7); d.toISOString()', 'const d = new Date(2026, 9, 31, 12); d.setMinutes(60 * 24); d.toISOString()', 'new Date(0).setSeconds(61)', 'Date.prototype.setHours.length', 'Date.prototype.setHours.call(5)', 'new Date(2024, 1, 29).setFullYear(2025)',
  ];
  const texts = ['2026-12-07', '2026-12', '2026', '2026-12-07T10:00', '2026-12-07T10:00:00', '2026-12-07T10:00:00.123', '2026-12-07T10:00Z', '2026-12-07T10:00:00+08:00', '2026-03-08T05:00', '2026-12-07 10:00', '2026-12-07 10:00:05', '2026-12-07 10:00:05.5', '2026/12/07', '2026/12/7 9:05', '12/25/2026', '12/25/2026 3:00 PM', '12/25/2026, 3:00:05 PM', '1-5-2026', 'Feb 29, 2024 10:00', 'Feb 29, 2024', 'February 29 2024', '29 Feb 2024', '29 February 2024 10:00 GMT', 'Mon, 07 Dec 2026 10:00:00 GMT', 'Mon Dec 07 2026 10:00:00 GMT+0800 (China Standard Time)', 'Dec 7, 2026 12:00 AM', 'Dec 7, 2026 12:30 PM UTC', '2026-12-07 10:00 GMT+8', '2026-12-07 10:00 +0530', '2026-12-07T10:00:00 Z', 'tomorrow', '', 'abc', '2026-13-01', '2026-02-30', '2026-1-5', '2026-12-07T24:00', '2026-12-07T25:00', '32 Dec 2026', '10:00', '7 декабря 2026', '2026年12月7日', 'Sunday, December 6, 2026 5:00 PM', 'Dec. 7, 2026', '2026-12-07T10:00:00.123456Z', '+002026-12-07T10:00:00Z', '07.12.2026'];
  rows.push(...texts.map(text => `Date.parse(${code(text)})`));
  return ['Asia/Shanghai', 'America/New_York', 'UTC'].flatMap(zone => rows.map(row => [zone, row]));
};

// What a row gives: in a function of its own, the last statement's value.
const evaluate = `const run = row => { try { const at = row.lastIndexOf('\\n'), cut = at >= 0 ? at + 1 : row.startsWith('const ') ? row.lastIndexOf('; ') + 2 : 0;
  return String(new Function(row.slice(0, cut) + 'return (' + row.slice(cut) + ')')()); } catch (e) { return '!' + e.name; } };`;
const tables = { locales, dates };
for (const name of Object.keys(tables)) {
  const rows = tables[name]();
  const given = {};
  for (const zone of new Set(rows.map(row => row[0]))) {
    const mine = rows.filter(row => row[0] === zone).map(row => row[1]);
    const said = execFileSync(process.execPath, ['-e', `${evaluate} console.log(JSON.stringify(JSON.parse(require('fs').readFileSync(0, 'utf8')).map(run)))`], { input: JSON.stringify(mine), env: { ...process.env, TZ: zone, LANG: 'en_US.UTF-8' } });
    given[zone] = JSON.parse(said);
  }
  const at = {};
  const lines = rows.map(([zone, row]) => { at[zone] = (at[zone] ?? -1) + 1; return [zone, JSON.stringify(row), JSON.stringify(given[zone][at[zone]])].join('\t'); });
  fs.writeFileSync(path.join(folder, `${name}.tsv`), `# Made by Node ${process.versions.node} (.ci/tables.js); zone, code, what it gives\n${lines.join('\n')}\n`);
  console.log(name, lines.length);
}
