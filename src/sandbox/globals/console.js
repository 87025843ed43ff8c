// The console beyond printing a line: tables, as Node 20 draws them.
(() => {
  'use strict';
  const ROWS = 100, COLUMNS = 20;
  const wide = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]/u;
  const width = text => { let n = 0; for (const char of text) n += wide.test(char) ? 2 : 1; return n; };
  const table = (data, inspect, wished) => {
    const cell = value => (typeof value === 'string' ? `'${value}'` : inspect(value)).replaceAll('\n', ' ').slice(0, 60);
    const isMap = data instanceof Map, isSet = data instanceof Set;
    const entries = isMap ? [...data].map(([key, value], i) => [String(i), value, key]) : isSet ? [...data].map((value, i) => [String(i), value]) : Object.keys(data).map(key => [key, data[key]]);
    const columns = [], rows = [];
    let hasValues = false;
    for (const [index, value] of entries.slice(0, ROWS)) {
      const row = new Map();
      if (typeof value === 'object' && value !== null && !isMap) {
        for (const key of wished ?? Object.keys(value)) {
          if (!columns.includes(key) && columns.length < COLUMNS) columns.push(key);
          if (Object.hasOwn(value, key)) row.set(key, cell(value[key]));
        }
        rows.push([index, row, undefined]);
      } else { hasValues = true; rows.push([index, row, cell(value)]); }
    }
    const head = [isMap || isSet ? '(iteration index)' : '(index)', ...(isMap ? ['Key'] : []), ...columns, ...(hasValues ? ['Values'] : [])];
    const body = rows.map(([index, row, value], i) => [index, ...(isMap ? [cell(entries[i][2])] : []), ...columns.map(name => row.get(name) ?? ''), ...(hasValues ? [value ?? ''] : [])]);
    const widths = head.map((name, i) => Math.max(width(name), ...body.map(line => width(line[i]))) + 2);
    const line = cells => `│${cells.map((text, i) => ` ${text}${' '.repeat(widths[i] - width(text) - 1)}`).join('│')}│`;
    const rule = (left, middle, right) => left + widths.map(n => '─'.repeat(n)).join(middle) + right;
    const more = entries.length > ROWS ? [`(${entries.length - ROWS} more rows)`] : [];
    return [rule('┌', '┬', '┐'), line(head), rule('├', '┼', '┤'), ...body.map(line), rule('└', '┴', '┘'), ...more].join('\n');
  };
  return { table };
})
