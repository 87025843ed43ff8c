// What a script finds at once of the larger globals: doors that load them when they are first used, dates in the room's
// zone, and methods that would otherwise ignore a locale. Evaluated after the prelude in each child.
((host, tools) => {
  'use strict';
  const { apply, construct, ownKeys } = Reflect, { setTimeout, clearTimeout } = globalThis;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const Real = Date, proto = Date.prototype, utc = Date.UTC, parseISO = Date.parse;
  const { getTime, setTime } = proto;
  const define = (object, name, value) => defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  const named = (name, length, value) => {
    defineProperty(value, 'name', { __proto__: null, value: name, configurable: true });
    defineProperty(value, 'length', { __proto__: null, value: length, configurable: true });
    return value;
  };
  // As a method: not constructible, and without a prototype.
  const method = (object, name, length, value) => define(object, name, named(name, length, value));

  const parts = { __proto__: null };
  const part = (name, ...given) => parts[name] ??= host.load(name)(host, ...given);
  const dates = () => part('intl');
  const numbers = () => part('numbers', dates());
  const texts = () => part('text', { ...dates(), numbers: numbers().numbers });

  // --- dates: the engine turns local time into universal time with the offset of another moment ------------------------

  const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec', DAYS = /^(sun|mon|tue|wed|thu|fri|sat)[a-z]*$/;
  const ISO = /^(?:[+-]\d{6}|\d{4})(?:-\d\d(?:-\d\d)?)?(?:T\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;
  // What people write: `2026-12-07 10:00`, `12/25/2026 3:00 PM`, `Feb 29, 2024 10:00 GMT+8`.
  const parseLoose = text => {
    // Half of the standard's form is none.
    if (/^\s*[+-]?\d+-\d+-\d+t/i.test(text)) return NaN;
    const plain = text.replace(/\([^)]*\)/g, ' ').trim().toLowerCase();
    const time = /(?:^|[\s,t])(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s*(am|pm)?(?=$|[\s,+\-zgu])/.exec(plain);
    let rest = time === null ? plain : plain.slice(0, time.index) + ' @ ' + plain.slice(time.index + time[0].length);
    let zone;
    rest = rest.replace(/@\s*(?:z|(?:gmt|utc)?\s*([+-])(\d{1,2}):?(\d{2})?|gmt|utc)(?=$|\s)/, (_, sign, hours, minutes) => {
      zone = sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0));
      return ' ';
    }).replace('@', ' ');
    let year, month, day;
    const numeric = /^\s*(?:(\d{4})([-/])(\d{1,2})\2(\d{1,2})|(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}))\s*,?\s*$/.exec(rest);
    if (numeric !== null) [year, month, day] = numeric[1] === undefined ? [numeric[7], numeric[5], numeric[6]] : [numeric[1], numeric[3], numeric[4]];
    else {
      const words = rest.split(/[\s,.\-/]+/).filter(word => word !== '' && !DAYS.test(word));
      if (words.length !== 3) return NaN;
      const at = words.findIndex(word => /^[a-z]{3,}$/.test(word) && MONTHS.indexOf(word.slice(0, 3)) % 3 === 0);
      if (at < 0) return NaN;
      month = MONTHS.indexOf(words[at].slice(0, 3)) / 3 + 1;
      [day, year] = words.filter((_, i) => i !== at);
      if (day.length === 4) [day, year] = [year, day];
      if (!/^\d{1,2}$/.test(day) || !/^\d{4}$/.test(year)) return NaN;
    }
    if (month < 1 || month > 12 || day < 1 || day > 31) return NaN;
    let [, hours = 0, minutes = 0, seconds = 0, fraction = '', half] = time ?? [];
    hours = Number(hours);
    if (half !== undefined) { if (hours < 1 || hours > 12) return NaN; hours = hours % 12 + (half === 'pm' ? 12 : 0); }
    if (hours > 24 || minutes > 59 || seconds > 59 || hours === 24 && (minutes > 0 || seconds > 0)) return NaN;
    const local = utc(year, month - 1, day, hours, minutes, seconds, Number(fraction.slice(0, 3).padEnd(3, '0')));
    return zone === undefined ? host.moment(local) : local - zone * 60_000;
  };
  const parse = text => {
    const found = ISO.exec(text);
    if (found === null) return parseLoose(text);
    text = text.replace(/([.,]\d{3})\d+/, '$1');
    return text.includes('T') && found[1] === undefined ? host.moment(parseISO(`${text}Z`)) : parseISO(text);
  };
  const DateHere = function (year, month, day, hours, minutes, seconds, ms) {
    if (new.target === undefined) return apply(proto.toString, new Real(), []);
    let args = [];
    if (arguments.length === 1) {
      let value = year;
      if (typeof value === 'object' && value !== null) {
        try { value = apply(getTime, value, []); } catch { value = toPrimitive(value); }
      }
      args = [typeof value === 'string' ? parse(value) : value];
    } else if (arguments.length > 1) args = [host.moment(apply(utc, undefined, arguments))];
    return construct(Real, args, new.target);
  };
  const toPrimitive = value => {
    const convert = value[Symbol.toPrimitive];
    if (convert !== undefined && convert !== null) {
      const made = apply(convert, value, ['default']);
      if (typeof made === 'object' && made !== null || typeof made === 'function') throw new TypeError('Cannot convert object to primitive value');
      return made;
    }
    for (const name of ['valueOf', 'toString']) {
      const convert = value[name];
      if (typeof convert !== 'function') continue;
      const made = apply(convert, value, []);
      if (typeof made !== 'object' && typeof made !== 'function' || made === null) return made;
    }
    throw new TypeError('Cannot convert object to primitive value');
  };
  named('Date', 7, DateHere);
  for (const key of ownKeys(Real)) if (key !== 'name' && key !== 'length' && key !== 'prototype') defineProperty(DateHere, key, getOwnPropertyDescriptor(Real, key));
  defineProperty(DateHere, 'prototype', { __proto__: null, value: proto, writable: false, enumerable: false, configurable: false });
  method(DateHere, 'parse', 1, { parse(text) { return parse(String(text)); } }.parse);
  define(proto, 'constructor', DateHere);
  define(globalThis, 'Date', DateHere);
  for (const name of ['Milliseconds', 'Seconds', 'Minutes', 'Hours', 'Date', 'Month', 'FullYear']) {
    const set = proto[`setUTC${name}`];
    const { length } = set;
    method(proto, `set${name}`, length, {
      set(...args) {
        const at = apply(getTime, this, []);
        const local = new Real(Number.isNaN(at) ? (name === 'FullYear' ? 0 : NaN) : at + host.offset(at) * 1000);
        apply(set, local, args);
        return apply(setTime, this, [host.moment(apply(getTime, local, []))]);
      },
    }.set);
  }

  // --- in a locale -----------------------------------------------------------------------------------------------------

  for (const [name, required, defaults] of [['toLocaleString', 'any', 'all'], ['toLocaleDateString', 'date', 'date'], ['toLocaleTimeString', 'time', 'time']]) {
    method(proto, name, 0, { show(locales, options) { return dates().dates(apply(getTime, this, []), locales, options, required, defaults); } }.show);
  }
  const numberOf = Number.prototype.valueOf, bigOf = BigInt.prototype.valueOf;
  method(Number.prototype, 'toLocaleString', 0, { show(locales, options) { return numbers().numbers(apply(numberOf, this, []), locales, options); } }.show);
  method(BigInt.prototype, 'toLocaleString', 0, { show(locales, options) { return numbers().numbers(apply(bigOf, this, []), locales, options); } }.show);
  method(String.prototype, 'localeCompare', 1, {
    compare(that, locales, options) {
      if (this === undefined || this === null) throw new TypeError('String.prototype.localeCompare called on null or undefined');
      return texts().order(String(this), String(that), locales, options);
    },
  }.compare);
  const listing = [];
  for (const kind of [Array, Object.getPrototypeOf(Int8Array)]) {
    method(kind.prototype, 'toLocaleString', 0, {
      show(locales, options) {
        const list = Object(this), shown = [];
        if (listing.includes(list)) return '';
        listing.push(list);
        try {
          for (let i = 0; i < list.length; i++) shown.push(list[i] === undefined || list[i] === null ? '' : String(list[i].toLocaleString(locales, options)));
        } finally { listing.pop(); }
        return shown.join(',');
      },
    }.show);
  }
  for (const name of ['toLocaleUpperCase', 'toLocaleLowerCase']) {
    const original = String.prototype[name];
    method(String.prototype, name, 0, {
      change(locales) {
        if (locales !== undefined && /^(tr|az|lt|el)\b/i.test(dates().canonical(locales)[0] ?? '')) throw new RangeError(`${name} does not know the rules of this language here`);
        return apply(original, this, []);
      },
    }.change);
  }

  // --- Temporal, in the room's zone ------------------------------------------------------------------------------------

  const { Temporal } = globalThis;
  method(Temporal.Now, 'timeZoneId', 0, { now() { return host.zone(); } }.now);
  for (const name of ['plainDateTimeISO', 'zonedDateTimeISO', 'plainDateISO', 'plainTimeISO']) {
    const original = Temporal.Now[name];
    method(Temporal.Now, name, 0, { now(zone = host.zone()) { return apply(original, this, [zone]); } }.now);
  }
  const FIELDS = ['weekday', 'year', 'month', 'day', 'hour', 'minute', 'second', 'fractionalSecondDigits', 'dateStyle', 'timeStyle', 'timeZoneName'];
  const shown = (kind, toDate, required, defaults, refused, zoned) => method(kind.prototype, 'toLocaleString', 0, {
    show(locales, options) {
      const o = { ...options };
      for (const name of refused) if (o[name] !== undefined) throw new TypeError(`${kind.name} has no ${name} to show`);
      if (zoned) {
        if (o.timeZone !== undefined) throw new TypeError('it has a zone of its own; use withTimeZone');
        if (!FIELDS.some(name => o[name] !== undefined)) o.timeZoneName = 'short';
        o.timeZone = this.timeZoneId;
      } else if (required !== undefined && kind !== Temporal.Instant) {
        if (o.timeStyle === 'full' || o.timeStyle === 'long') throw new RangeError('it has no zone to name; use timeStyle: "medium"');
        o.timeZone = 'UTC';
      }
      return dates().dates(toDate(this), locales, o, required, defaults);
    },
  }.show);
  const iso = date => { if (date.calendarId !== 'iso8601' && date.calendarId !== 'gregory') throw new RangeError('only the Gregorian calendar can be shown here'); return date; };
  const ofDateTime = it => Temporal.PlainDateTime.from(iso(it)).toZonedDateTime('UTC').epochMilliseconds;
  const clock = ['hour', 'minute', 'second', 'fractionalSecondDigits', 'timeStyle', 'timeZoneName'], days = ['weekday', 'year', 'month', 'day', 'dateStyle', 'timeZoneName'];
  shown(Temporal.Instant, it => it.epochMilliseconds, 'any', 'all', [], false);
  shown(Temporal.ZonedDateTime, it => iso(it).epochMilliseconds, 'any', 'all', [], true);
  shown(Temporal.PlainDateTime, ofDateTime, 'any', 'all', ['timeZoneName'], false);
  shown(Temporal.PlainDate, ofDateTime, 'date', 'date', clock, false);
  shown(Temporal.PlainTime, it => utc(1970, 0, 1, it.hour, it.minute, it.second, it.millisecond), 'time', 'time', days, false);
  for (const name of ['PlainYearMonth', 'PlainMonthDay', 'Duration']) {
    method(Temporal[name].prototype, 'toLocaleString', 0, { show() { throw new RangeError(`toLocaleString of a ${name} is not here; use toString()`); } }.show);
  }

  // --- doors -----------------------------------------------------------------------------------------------------------

  const lazily = (name, make) => defineProperty(globalThis, name, {
    __proto__: null, enumerable: false, configurable: true,
    get() { const value = make(); define(globalThis, name, value); return value; },
    set(value) { define(globalThis, name, value); },
  });
  lazily('Intl', () => {
    const { DateTimeFormat, Locale, canonical } = dates(), { NumberFormat } = numbers();
    const { Collator, PluralRules, ListFormat, RelativeTimeFormat, Segmenter, DisplayNames } = texts();
    const intl = {};
    for (const [name, value] of Object.entries({ Collator, DateTimeFormat, DisplayNames, ListFormat, Locale, NumberFormat, PluralRules, RelativeTimeFormat, Segmenter })) define(intl, name, value);
    define(intl, 'getCanonicalLocales', locales => canonical(locales));
    define(intl, 'supportedValuesOf', () => { throw new RangeError('Intl.supportedValuesOf is not here'); });
    defineProperty(intl, Symbol.toStringTag, { value: 'Intl', configurable: true });
    return intl;
  });

  const told = made => { for (const name of ['URL', 'URLSearchParams']) tools.textual(name, made[name]); return made; };
  const { URL, TextDecoder, TextEncoder, atob, btoa } = globalThis;
  const web = () => parts.web ?? told(part('web', { URL, TextDecoder, TextEncoder, atob, btoa, isProxy: host.isProxy, random: tools.random, quietly: tools.quietly }));
  const NAMES = ['DOMException', 'URL', 'URLSearchParams', 'Event', 'CustomEvent', 'EventTarget', 'AbortSignal', 'AbortController', 'structuredClone', 'atob', 'btoa', 'TextDecoder', 'TextEncoder', 'crypto'];
  for (const name of NAMES) lazily(name, () => web()[name]);

  // --- the console -------------------------------------------------------------------------------------------------------

  const { inspect } = tools;
  const counts = new Map(), begun = new Map(), now = Real.now;
  const GROUPS = 20;
  let indent = '';
  const say = text => { tools.print(indent === '' ? text : indent + text.replaceAll('\n', `\n${indent}`)); };
  const format = values => {
    let rest = values, text = '';
    if (typeof values[0] === 'string' && values.length > 1 && values[0].includes('%')) {
      let used = 1;
      text = values[0].replace(/%[sdifjoOc%]/g, what => {
        if (what === '%%') return '%';
        if (used >= values.length) return what;
        const value = values[used++];
        switch (what[1]) {
          case 's': return typeof value === 'string' ? value : inspect(value);
          case 'd': return typeof value === 'bigint' ? `${value}n` : typeof value === 'object' || typeof value === 'symbol' ? 'NaN' : String(Number(value));
          case 'i': return typeof value === 'bigint' ? `${value}n` : typeof value === 'object' || typeof value === 'symbol' ? 'NaN' : String(parseInt(value, 10));
          case 'f': return typeof value === 'symbol' ? 'NaN' : String(parseFloat(value));
          case 'j': try { return JSON.stringify(value) ?? 'undefined'; } catch { return '[Circular]'; }
          case 'c': return '';
          default: return typeof value === 'string' ? `'${value}'` : inspect(value);
        }
      });
      rest = values.slice(used);
      if (rest.length > 0) text += ' ';
    }
    for (let i = 0; i < rest.length; i++) text += (i > 0 ? ' ' : '') + inspect(rest[i]);
    return text;
  };
  const print = (...values) => say(format(values));
  const took = (label, ending) => {
    const key = String(label);
    if (!begun.has(key)) { say(`(no timer "${key}" was begun)`); return undefined; }
    const ms = now() - begun.get(key);
    if (ending) begun.delete(key);
    return `${key}: ${ms < 1000 ? `${ms}ms` : `${(ms / 1000).toFixed(3)}s`}`;
  };
  const group = (...values) => { if (values.length > 0) print(...values); if (indent.length < 2 * GROUPS) indent += '  '; };
  const shout = {
    log: print, info: print, debug: print, warn: print, error: print, dir: value => say(typeof value === 'string' ? `'${value}'` : inspect(value)), dirxml: print, group, groupCollapsed: group,
    groupEnd: () => { indent = indent.slice(2); },
    trace: (...values) => say(values.length === 0 ? 'Trace' : `Trace: ${format(values)}`),
    assert: (so, ...values) => { if (!so) say(values.length === 0 ? 'Assertion failed' : typeof values[0] === 'string' ? format([`Assertion failed: ${values[0]}`, ...values.slice(1)]) : `Assertion failed ${format(values)}`); },
    count: (label = 'default') => { const key = String(label); counts.set(key, (counts.get(key) ?? 0) + 1); say(`${key}: ${counts.get(key)}`); },
    countReset: (label = 'default') => { counts.delete(String(label)); },
    time: (label = 'default') => { begun.set(String(label), now()); },
    timeEnd: (label = 'default') => { const text = took(label, true); if (text !== undefined) say(text); },
    timeLog: (label = 'default', ...values) => { const text = took(label, false); if (text !== undefined) say(values.length === 0 ? text : `${text} ${format(values)}`); },
    table: (data, columns) => { if (typeof data === 'object' && data !== null && !host.isProxy(data)) say(part('console').table(data, inspect, columns)); else print(data); },
    clear: () => {},
  };
  define(globalThis, 'console', shout);
  define(globalThis, 'setImmediate', (action, ...args) => setTimeout(action, 0, ...args));
  define(globalThis, 'clearImmediate', id => clearTimeout(id));
})
