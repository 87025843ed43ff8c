// Dates in the locales that are here, evaluated when a script first needs one: as ICU writes them, or a RangeError that
// says what works instead. Patterns come from locales/*.json; nothing is guessed from another locale.
(host => {
  'use strict';
  const TAGS = {
    __proto__: null, en: 'en-US', 'en-us': 'en-US', 'en-gb': 'en-GB', 'en-ca': 'en-CA', sv: 'sv-SE', 'sv-se': 'sv-SE', zh: 'zh-CN', 'zh-cn': 'zh-CN', 'zh-hans': 'zh-CN',
    'zh-hans-cn': 'zh-CN', 'zh-tw': 'zh-TW', 'zh-hant': 'zh-TW', 'zh-hant-tw': 'zh-TW', ja: 'ja-JP', 'ja-jp': 'ja-JP',
  };
  const KNOWN = 'en-US, en-GB, en-CA, zh-CN, zh-TW, ja-JP, sv-SE';
  const loaded = { __proto__: null };
  const WELL_FORMED = /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i;
  const proper = tag => tag.split('-').map((part, i) => i === 0 ? part.toLowerCase() : part.length === 2 ? part.toUpperCase() : part.length === 4 ? part[0].toUpperCase() + part.slice(1).toLowerCase() : part.toLowerCase()).join('-');

  // All wished locales, as their authors would have them written.
  const canonical = locales => {
    if (locales === undefined) return [];
    if (locales === null) throw new TypeError('Cannot convert undefined or null to object');
    const list = typeof locales === 'string' || locales instanceof Locale ? [locales] : Array.from(Object(locales));
    return [...new Set(list.map(tag => {
      if (typeof tag !== 'string' && (typeof tag !== 'object' || tag === null)) throw new TypeError('Language ID should be string or object.');
      const text = String(tag);
      if (!WELL_FORMED.test(text)) throw new RangeError(`Incorrect locale information provided: ${text} (write it like en-US)`);
      return proper(text);
    }))];
  };
  // The first wished locale: the real thing would take it, so another would be wrong.
  const locale = locales => {
    const [wished = 'en-US'] = canonical(locales);
    const tag = TAGS[wished.toLowerCase()];
    if (tag === undefined) throw new RangeError(`the locale ${wished} is not here; there are ${KNOWN}`);
    return { wished, tag, data: () => loaded[tag] ??= JSON.parse(host.locale(tag)) };
  };
  const supported = locales => canonical(locales).filter(tag => TAGS[tag.toLowerCase()] !== undefined);

  class Locale {
    #tag;
    constructor(tag) {
      if (typeof tag !== 'string' && (typeof tag !== 'object' || tag === null)) throw new TypeError('First argument to Intl.Locale constructor can\'t be empty or missing');
      [this.#tag] = canonical([String(tag)]);
    }
    get baseName() { return this.#tag; }
    get language() { return this.#tag.split('-')[0]; }
    get script() { return this.#tag.split('-').slice(1).find(part => part.length === 4); }
    get region() { return this.#tag.split('-').slice(1).find(part => part.length === 2); }
    toString() { return this.#tag; }
  }

  // An option among its values, read once.
  const option = (options, name, values, fallback) => {
    const value = options[name];
    if (value === undefined) return fallback;
    const text = String(value);
    if (values !== undefined && !values.includes(text)) throw new RangeError(`Value ${text} out of range for Intl options property ${name}`);
    return text;
  };
  const refuse = (options, names, what) => {
    for (const name of names) if (options[name] !== undefined) throw new RangeError(`${what} does not know the option ${name} here; leave it out`);
  };

  const DATE = ['weekday', 'year', 'month', 'day'], TIME = ['hour', 'minute', 'second', 'fractionalSecondDigits'];
  const STYLES = ['full', 'long', 'medium', 'short'], WIDTHS = ['narrow', 'short', 'long'], DIGITS = ['2-digit', 'numeric'];
  const ZONE_NAMES = ['short', 'long', 'shortOffset', 'longOffset', 'shortGeneric', 'longGeneric'];
  const letter = { __proto__: null, undefined: '-', numeric: 'n', '2-digit': '2', short: 's', long: 'l' };
  const NAMED_FROM = Date.UTC(2008, 0, 1), NAMED_TO = Date.UTC(2038, 0, 1);
  const pad = (n, size) => String(n).padStart(size, '0');

  const zoneOf = name => {
    if (name === undefined) return host.zone();
    const known = host.named(String(name));
    if (known === undefined) throw new RangeError(`Invalid time zone specified: ${String(name)} (expected a name such as Asia/Shanghai, or UTC)`);
    return known;
  };
  const FIELD = { E: 'weekday', L: 'month', M: 'month', y: 'year', d: 'day', h: 'hour', H: 'hour', K: 'hour', k: 'hour', m: 'minute', s: 'second', S: 'fractionalSecond', a: 'dayPeriod', B: 'dayPeriod', z: 'timeZoneName' };
  // As V8 does: the narrow space before AM is in the parts, and a plain one in the text.
  const text = parts => parts.map(part => part.value).join('').replaceAll('\u202f', ' ');
  const shared = new Map();

  class DateTimeFormat {
    #made;
    constructor(locales, options, required = 'any', defaults = 'date') { this.#made = make(locales, options, required, defaults); }
    get format() { return date => text(this.#made.parts(date)); }
    formatToParts(date) { return this.#made.parts(date); }
    formatRange() { throw new RangeError('formatRange is not here; format both dates'); }
    formatRangeToParts() { throw new RangeError('formatRangeToParts is not here; format both dates'); }
    resolvedOptions() { return { ...this.#made.resolved }; }
    static supportedLocalesOf(locales) { return supported(locales); }
  }

  const make = (locales, given, required, defaults) => {
    const { wished, tag, data: load } = locale(locales);
    if (given === null) throw new TypeError('Cannot convert undefined or null to object');
    const o = given === undefined ? {} : Object(given);
    refuse(o, ['era', 'dayPeriod'], 'DateTimeFormat');
    if (option(o, 'calendar', undefined, 'gregory') !== 'gregory') throw new RangeError('only the Gregorian calendar is here; Temporal knows others');
    if (option(o, 'numberingSystem', undefined, 'latn') !== 'latn') throw new RangeError('only the digits 0 to 9 are here');
    const zone = zoneOf(o.timeZone);
    const hour12 = o.hour12 === undefined ? undefined : Boolean(o.hour12);
    const wishedCycle = option(o, 'hourCycle', ['h11', 'h12', 'h23', 'h24']);
    const cycle = hour12 === undefined ? wishedCycle : undefined;
    if (cycle === 'h11' || cycle === 'h24') throw new RangeError(`hourCycle ${cycle} is not here; use h12 or h23`);
    const fields = {
      weekday: option(o, 'weekday', WIDTHS), year: option(o, 'year', DIGITS), month: option(o, 'month', [...DIGITS, ...WIDTHS]), day: option(o, 'day', DIGITS),
      hour: option(o, 'hour', DIGITS), minute: option(o, 'minute', DIGITS), second: option(o, 'second', DIGITS),
    };
    const fraction = o.fractionalSecondDigits === undefined ? 0 : Math.floor(Number(o.fractionalSecondDigits));
    if (o.fractionalSecondDigits !== undefined && !(fraction >= 1 && fraction <= 3)) throw new RangeError('fractionalSecondDigits value is out of range.');
    let zoneName = option(o, 'timeZoneName', ZONE_NAMES);
    const dateStyle = option(o, 'dateStyle', STYLES), timeStyle = option(o, 'timeStyle', STYLES);
    if (fields.weekday === 'narrow' || fields.month === 'narrow') throw new RangeError('narrow names are not here; use short');
    if (zoneName === 'shortGeneric' || zoneName === 'longGeneric') throw new RangeError(`timeZoneName ${zoneName} is not here; use shortOffset`);
    const isSet = name => name === 'fractionalSecondDigits' ? fraction > 0 : fields[name] !== undefined;
    if (dateStyle !== undefined || timeStyle !== undefined) {
      const set = [...DATE, ...TIME].find(isSet) ?? (zoneName && 'timeZoneName');
      if (set !== undefined) throw new TypeError(`Can't set option ${set} when ${dateStyle !== undefined ? 'dateStyle' : 'timeStyle'} is used`);
      if (required === 'date' && timeStyle !== undefined) throw new TypeError('Invalid option : timeStyle');
      if (required === 'time' && dateStyle !== undefined) throw new TypeError('Invalid option : dateStyle');
    } else {
      const needsDefaults = !(required !== 'time' && DATE.some(isSet)) && !(required !== 'date' && TIME.some(isSet));
      if (needsDefaults && defaults !== 'time') fields.year = fields.month = fields.day = 'numeric';
      if (needsDefaults && defaults !== 'date') fields.hour = fields.minute = fields.second = 'numeric';
    }
    const data = load();
    const choice = hour12 !== undefined ? (hour12 ? 't' : 'f') : cycle === undefined ? 'd' : cycle === 'h12' ? '1' : '3';
    const resolvedCycle = choice === 'd' && timeStyle !== undefined ? data.styles.cycle : data.cycle[choice];
    let index;
    if (dateStyle !== undefined || timeStyle !== undefined) {
      const hours = resolvedCycle.slice(1);
      index = timeStyle === undefined ? data.styles.date[dateStyle] : dateStyle === undefined ? data.styles.time[timeStyle + hours] : data.styles.both[dateStyle + timeStyle + hours];
      if (timeStyle === 'full' || timeStyle === 'long') zoneName = timeStyle === 'full' ? 'long' : 'short';
    }
    const dateKey = DATE.map(name => letter[fields[name]]).join(''), clock = letter[fields.hour] + letter[fields.minute] + letter[fields.second];
    const hasDate = dateKey !== '----', hasTime = clock !== '---';
    let pattern;
    if (index !== undefined) pattern = data.patterns[index];
    else if (dateStyle === undefined && timeStyle === undefined) {
      const timeKey = data.time[clock + choice] !== undefined ? clock + choice : fields.hour === undefined ? clock : clock + data.cycle[choice].slice(1);
      const isClock = fields.second !== undefined && fields.weekday === undefined && fields.minute !== undefined;
      if (fraction > 0 && !isClock) throw new RangeError('fractionalSecondDigits needs minute and second, and no weekday, here');
      if (fields.second !== undefined && zoneName !== undefined && zoneName !== 'short') throw new RangeError('beside seconds only timeZoneName: "short" is here');
      if (tag === 'ja-JP' && zoneName !== undefined && zoneName !== 'short') throw new RangeError('only timeZoneName: "short" is here for ja-JP');
      const times = zoneName === undefined ? data.time : data.zoned;
      const special = data.special[dateKey + timeKey + (zoneName === undefined ? '' : 'z')];
      if (special !== undefined) pattern = data.patterns[special];
      else if (!hasTime) pattern = data.patterns[(zoneName === undefined ? data.date : data.dateZoned)[dateKey]];
      else if (!hasDate) pattern = data.patterns[times[timeKey]];
      else pattern = data.patterns[data.date[dateKey]] + data.glues[data.glue[dateKey] ?? 0] + data.patterns[times[timeKey]];
      if (pattern !== undefined && fraction > 0) pattern = pattern.replace(/\{ss?\}/, found => `${found}${data.fraction}{S}`);
    }
    if (pattern === undefined) throw new RangeError(`this choice of options is not here for ${tag}; use dateStyle and timeStyle, or fewer fields`);
    if (fraction > 0 && hasTime && zoneName !== undefined) throw new RangeError('fractionalSecondDigits and timeZoneName do not go together here; format them apart');
    const steps = pattern.split(/\{(\w+)\}/);

    const nameOf = (at, offset, style) => {
      const total = Math.trunc(offset / 60), minus = total < 0 ? (data.number.minus) : '+', abs = Math.abs(total);
      const hours = Math.trunc(abs / 60), minutes = abs % 60;
      if (style === 'longOffset') return `GMT${minus}${pad(hours, 2)}:${pad(minutes, 2)}`;
      const short = `GMT${minus}${hours}${minutes === 0 ? '' : `:${pad(minutes, 2)}`}`;
      if (style === 'shortOffset') return short;
      const sorry = () => { throw new RangeError(`the ${style} name of ${zone} is not here; use timeZoneName: "shortOffset"`); };
      const isNamed = at >= NAMED_FROM && at < NAMED_TO;
      const summer = host.isSummer(at, zone) ? 1 : 0;
      if (style === 'long') {
        const names = data.zones.long[zone];
        return names === undefined || !isNamed && zone !== 'UTC' ? sorry() : names[summer];
      }
      if (data.zones.unsure.includes(zone)) sorry();
      for (const names of Object.keys(data.zones.short)) {
        if (data.zones.short[names].includes(zone)) return isNamed || names === 'UTC|UTC' ? names.split('|')[summer] : sorry();
      }
      return short;
    };

    const parts = date => {
      const at = date === undefined ? Date.now() : Number(date);
      if (!(Math.abs(at) <= 8.64e15)) throw new RangeError('Invalid time value');
      const time = Math.floor(at);
      const offset = host.offset(time, zone);
      const there = new Date(time + offset * 1000);
      const year = there.getUTCFullYear();
      // Before its reform of 1582 ICU counts days by the Julian calendar, and years before 1 have an era.
      if (time < -12219292800000) throw new RangeError('dates before 15 October 1582 are not here; Temporal has them');
      const hour = there.getUTCHours();
      const value = step => {
        const n = Number(step.slice(1));
        switch (step[0]) {
          case 'E': return data.names[n][there.getUTCDay()];
          case 'L': return data.names[n][there.getUTCMonth()];
          case 'M': return pad(there.getUTCMonth() + 1, step.length);
          case 'y': return step === 'yy' ? pad(year % 100, 2) : String(year);
          case 'd': return pad(there.getUTCDate(), step.length);
          case 'h': return pad(hour % 12 || 12, step.length);
          case 'H': return pad(hour, step.length);
          case 'K': return pad(hour % 12, step.length);
          case 'k': return pad(hour || 24, step.length);
          case 'm': return pad(there.getUTCMinutes(), step.length);
          case 's': return pad(there.getUTCSeconds(), step.length);
          case 'S': return pad(there.getUTCMilliseconds(), 3).slice(0, fraction);
          case 'a': return data.names[n][hour < 12 ? 0 : 1];
          case 'B': return data.names[n][hour];
          default: return nameOf(time, offset, zoneName);
        }
      };
      const made = [];
      steps.forEach((step, i) => {
        if (i % 2 === 1) made.push({ type: FIELD[step[0]], value: value(step) });
        else if (step !== '') made.push({ type: 'literal', value: step });
      });
      return made;
    };

    const resolved = { locale: wished, calendar: 'gregory', numberingSystem: 'latn', timeZone: zone };
    if (/\{[hHkK]/.test(pattern)) { resolved.hourCycle = resolvedCycle; resolved.hour12 = resolvedCycle === 'h12' || resolvedCycle === 'h11'; }
    for (const [name, value] of Object.entries({ ...fields, fractionalSecondDigits: fraction || undefined, timeZoneName: timeStyle === undefined ? zoneName : undefined, dateStyle, timeStyle })) {
      if (value !== undefined) resolved[name] = value;
    }
    return { parts, resolved };
  };

  // `toLocaleString` and its kin; formats of plain options are made once.
  const dates = (date, locales, options, required, defaults) => {
    const at = Number(date);
    if (Number.isNaN(at)) { make(locales, options, required, defaults); return 'Invalid Date'; }
    const isPlain = (locales === undefined || typeof locales === 'string') && (options === undefined || Object.values(options ?? {}).every(value => typeof value !== 'object'));
    const key = isPlain ? JSON.stringify([locales, options, required, defaults, host.zone()]) : undefined;
    let made = key === undefined ? undefined : shared.get(key);
    if (made === undefined) {
      made = make(locales, options, required, defaults);
      if (key !== undefined && shared.size < 50) shared.set(key, made);
    }
    return text(made.parts(at));
  };

  const Format = function DateTimeFormat_(locales, options) { return new DateTimeFormat(locales, options); };
  Object.defineProperties(Format, { name: { value: 'DateTimeFormat' }, length: { value: 0 } });
  Format.prototype = DateTimeFormat.prototype;
  Object.defineProperty(Format, 'prototype', { writable: false, enumerable: false });
  Object.defineProperty(DateTimeFormat.prototype, 'constructor', { value: Format, writable: true, configurable: true });
  Object.defineProperty(DateTimeFormat.prototype, Symbol.toStringTag, { value: 'Intl.DateTimeFormat', configurable: true });
  Format.supportedLocalesOf = supported;
  return { locale, canonical, supported, option, refuse, Locale, DateTimeFormat: Format, dates };
})
