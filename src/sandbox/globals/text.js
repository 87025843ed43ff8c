// Order, plurals, relative times and characters in the locales that are here, or a RangeError that says what works instead.
((host, kit) => {
  'use strict';
  const { locale, supported, option, refuse } = kit;
  // Signs below digits, in the order that every locale here gives them; letters are looked at as letter and accents.
  const SIGNS = host.order('signs');
  const SIGN = new Map([...SIGNS].map((sign, i) => [sign, i + 1]));
  const MARKS = '\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0327\u0328\u0304';
  const DIGIT = 1000, HAN_FIRST = 2000, LETTER = 30000, HAN_LAST = 40000, OTHER = 100000;
  // Characters read otherwise before another: that one, and after whom it stands then.
  const TOGETHER = new Map([['重庆', '虫'], ['沈阳', '弞'], ['藏文', '銺']]);
  let pinyin;
  const rankOf = (char, isHanFirst) => {
    if (pinyin === undefined) {
      pinyin = new Map();
      let i = 0;
      for (const each of host.order('pinyin')) pinyin.set(each, i++);
    }
    return isHanFirst ? HAN_FIRST + pinyin.get(char) : HAN_LAST + char.charCodeAt(0) - 0x4e00;
  };

  // A string's weights: per character [primary, accents, is a capital]; an unknown one has a primary beyond all.
  const kept = new Map();
  const weigh = (text, isHanFirst, isNumeric) => {
    const key = `${isHanFirst ? 1 : 0}${isNumeric ? 1 : 0}${text}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const weights = [];
    const plain = text.normalize('NFD');
    for (let i = 0; i < plain.length; i++) {
      const code = plain.codePointAt(i), char = String.fromCodePoint(code);
      if (code > 0xffff) i++;
      const mark = MARKS.indexOf(char);
      if (mark >= 0 && weights.length > 0 && weights[weights.length - 1][0] >= LETTER && weights[weights.length - 1][0] < HAN_LAST) { weights[weights.length - 1][1] += String.fromCharCode(mark + 1); continue; }
      if (code >= 0x30 && code <= 0x39) {
        if (!isNumeric) { weights.push([DIGIT + code - 0x30, '', false]); continue; }
        const run = /^[0-9]+/.exec(plain.slice(i))[0], digits = run.replace(/^0+(?=.)/, '');
        // Longer numbers are larger: the length goes before the digits.
        weights.push([DIGIT + 10 + digits.length / 1000, '', false]);
        for (const digit of digits) weights.push([DIGIT + Number(digit), '', false]);
        i += run.length - 1;
        continue;
      }
      const lower = code < 128 ? char.toLowerCase() : '';
      if (lower >= 'a' && lower <= 'z') weights.push([LETTER + lower.charCodeAt(0), '', lower !== char]);
      else if (SIGN.has(char)) weights.push([SIGN.get(char), '', false]);
      else if (isHanFirst && TOGETHER.has(char + plain[i + 1])) weights.push([rankOf(TOGETHER.get(char + plain[i + 1]), true) + 0.5, '', false]);
      else if (code >= 0x4e00 && code <= 0x9fff) weights.push([rankOf(char, isHanFirst), '', false]);
      else weights.push([OTHER + code, '', false]);
    }
    if (kept.size < 2000) kept.set(key, weights);
    return weights;
  };

  const compare = (a, b, how) => {
    if (a === b) return 0;
    const left = weigh(a, how.isHanFirst, how.isNumeric), right = weigh(b, how.isHanFirst, how.isNumeric);
    const shared = Math.min(left.length, right.length);
    for (let i = 0; i < shared; i++) {
      const l = left[i][0], r = right[i][0];
      if (l === r) continue;
      if (how.isStrict && (l >= OTHER || r >= OTHER)) {
        throw new RangeError(`the order of ${String.fromCodePoint(Math.floor(l >= OTHER ? l : r) - OTHER)} is not known here; compare with a < b ? -1 : a > b ? 1 : 0`);
      }
      return l < r ? -1 : 1;
    }
    if (left.length !== right.length) {
      const rest = (left.length < right.length ? right : left)[shared];
      // A mark or joiner may weigh nothing at all.
      if (how.isStrict && rest[0] >= OTHER) throw new RangeError(`the order of ${String.fromCodePoint(rest[0] - OTHER)} is not known here; compare with a < b ? -1 : a > b ? 1 : 0`);
      return left.length < right.length ? -1 : 1;
    }
    if (how.sensitivity === 'accent' || how.sensitivity === 'variant') {
      for (let i = 0; i < shared; i++) if (left[i][1] !== right[i][1]) {
        if (how.isHanFirst) throw new RangeError('the order of accents in zh-CN is not known here; compare with a < b ? -1 : a > b ? 1 : 0');
        return left[i][1] < right[i][1] ? -1 : 1;
      }
    }
    if (how.sensitivity === 'case' || how.sensitivity === 'variant') {
      for (let i = 0; i < shared; i++) if (left[i][2] !== right[i][2]) return left[i][2] ? 1 : -1;
    }
    return 0;
  };

  const collation = (locales, given) => {
    const { wished, tag } = locale(locales);
    const o = given === undefined ? {} : Object(given);
    refuse(o, ['caseFirst', 'ignorePunctuation', 'collation'], 'Collator');
    if (tag === 'zh-TW' || tag === 'ja-JP' || tag === 'sv-SE') throw new RangeError(`the order of ${tag} is not here; there are en-US, en-GB, en-CA and zh-CN`);
    option(o, 'usage', ['sort', 'search'], 'sort');
    const isBare = locales === undefined && given === undefined;
    return { wished, isHanFirst: tag === 'zh-CN', isNumeric: Boolean(o.numeric), sensitivity: option(o, 'sensitivity', ['base', 'accent', 'case', 'variant'], 'variant'), isStrict: !isBare };
  };
  const shared = new Map();
  const order = (a, b, locales, options) => {
    const key = (locales === undefined || typeof locales === 'string') && options === undefined ? String(locales) : undefined;
    let how = key === undefined ? undefined : shared.get(key);
    if (how === undefined) {
      how = collation(locales, options);
      if (key !== undefined && shared.size < 50) shared.set(key, how);
    }
    return compare(a, b, how);
  };

  const tagged = (Kind, name) => {
    Object.defineProperty(Kind.prototype, Symbol.toStringTag, { value: `Intl.${name}`, configurable: true });
    Kind.supportedLocalesOf = supported;
    return Kind;
  };
  class Collator {
    #how;
    constructor(locales, options) { this.#how = collation(locales, options ?? {}); }
    get compare() { return (a, b) => compare(String(a), String(b), this.#how); }
    resolvedOptions() { return { locale: this.#how.wished, usage: 'sort', sensitivity: this.#how.sensitivity, ignorePunctuation: false, collation: 'default', numeric: this.#how.isNumeric, caseFirst: 'false' }; }
  }
  const CollatorFunction = function (locales, options) { return new Collator(locales, options); };
  CollatorFunction.prototype = Collator.prototype;
  Object.defineProperty(CollatorFunction, 'name', { value: 'Collator' });

  class PluralRules {
    #kind; #locale; #tag;
    constructor(locales, options = {}) {
      const { wished, tag } = locale(locales);
      refuse(options, ['minimumFractionDigits', 'maximumFractionDigits', 'minimumSignificantDigits', 'maximumSignificantDigits', 'minimumIntegerDigits'], 'PluralRules');
      this.#kind = option(options, 'type', ['cardinal', 'ordinal'], 'cardinal');
      if (this.#kind === 'ordinal' && tag === 'sv-SE') throw new RangeError('the ordinals of sv-SE are not here');
      this.#locale = wished;
      this.#tag = tag;
    }
    select(value) {
      const n = Number(Math.abs(Number(value)).toFixed(3));
      if (!this.#tag.startsWith('en') && this.#tag !== 'sv-SE') return 'other';
      if (this.#kind === 'cardinal') return n === 1 ? 'one' : 'other';
      const tens = n % 100, ones = n % 10;
      return ones === 1 && tens !== 11 ? 'one' : ones === 2 && tens !== 12 ? 'two' : ones === 3 && tens !== 13 ? 'few' : 'other';
    }
    resolvedOptions() { return { locale: this.#locale, type: this.#kind }; }
  }

  class ListFormat {
    #join; #options;
    constructor(locales, options = {}) {
      const { wished, tag } = locale(locales);
      const type = option(options, 'type', ['conjunction', 'disjunction', 'unit'], 'conjunction'), style = option(options, 'style', ['long', 'short', 'narrow'], 'long');
      if (type === 'unit' || style !== 'long' || !(tag.startsWith('en') || tag === 'zh-CN')) throw new RangeError('only long lists with "and" or "or" in English and zh-CN are here; use join');
      const word = tag === 'zh-CN' ? (type === 'conjunction' ? '和' : '或') : type === 'conjunction' ? ' and ' : ' or ';
      const comma = tag === 'zh-CN' ? '、' : ', ';
      const isSerial = tag === 'en-US';
      this.#options = { locale: wished, type, style };
      this.#join = items => items.length < 2 ? items.join('') : items.slice(0, -1).join(comma) + (isSerial && items.length > 2 ? `,${word}` : word) + items[items.length - 1];
    }
    format(list) {
      const items = [...list];
      for (const item of items) if (typeof item !== 'string') throw new TypeError('Iterable yielded a non-String value');
      return this.#join(items);
    }
    formatToParts() { throw new RangeError('formatToParts of a list is not here; use format'); }
    resolvedOptions() { return { ...this.#options }; }
  }

  const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];
  const ZH = { second: '秒钟', minute: '分钟', hour: '小时', day: '天', week: '周', month: '个月', quarter: '个季度', year: '年' };
  const AUTO = {
    en: { day: ['yesterday', 'today', 'tomorrow'], hour: [, 'this hour'], minute: [, 'this minute'], second: [, 'now'], week: ['last week', 'this week', 'next week'], month: ['last month', 'this month', 'next month'], quarter: ['last quarter', 'this quarter', 'next quarter'], year: ['last year', 'this year', 'next year'] },
    zh: { day: ['昨天', '今天', '明天'], hour: [, '这一时间 / 此时'], minute: [, '此刻'], second: [, '现在'], week: ['上周', '本周', '下周'], month: ['上个月', '本月', '下个月'], quarter: ['上季度', '本季度', '下季度'], year: ['去年', '今年', '明年'] },
  };
  class RelativeTimeFormat {
    #options; #tag;
    constructor(locales, options = {}) {
      const { wished, tag } = locale(locales);
      const style = option(options, 'style', ['long', 'short', 'narrow'], 'long');
      if (style !== 'long' || !(tag.startsWith('en') || tag === 'zh-CN')) throw new RangeError('only long relative times in English and zh-CN are here');
      this.#options = { locale: wished, style, numeric: option(options, 'numeric', ['always', 'auto'], 'always'), numberingSystem: 'latn' };
      this.#tag = tag;
    }
    format(value, unit) {
      const name = String(unit).replace(/s$/, ''), n = Number(value);
      if (!UNITS.includes(name)) throw new RangeError(`Invalid unit argument for format() '${String(unit)}'`);
      if (!Number.isFinite(n)) throw new RangeError('Invalid number value');
      const isChinese = this.#tag === 'zh-CN';
      if (this.#options.numeric === 'auto') {
        const special = n === -2 && name === 'day' && isChinese ? '前天' : n === 2 && name === 'day' && isChinese ? '后天' : Math.abs(n) <= 1 && Number.isInteger(n) ? (isChinese ? AUTO.zh : AUTO.en)[name][n + 1] : undefined;
        if (special !== undefined) return special;
      }
      const isPast = n < 0 || Object.is(n, -0), size = Math.abs(n), shown = kit.numbers(size, this.#tag);
      if (isChinese) return `${shown}${ZH[name]}${isPast ? '前' : '后'}`;
      const word = new PluralRules('en').select(size) === 'one' ? name : `${name}s`;
      return isPast ? `${shown} ${word} ago` : `in ${shown} ${word}`;
    }
    formatToParts() { throw new RangeError('formatToParts of a relative time is not here; use format'); }
    resolvedOptions() { return { ...this.#options }; }
  }

  class Segmenter {
    #locale;
    constructor(locales, options = {}) {
      this.#locale = locale(locales).wished;
      const granularity = option(options, 'granularity', ['grapheme', 'word', 'sentence'], 'grapheme');
      if (granularity !== 'grapheme') throw new RangeError(`granularity ${granularity} is not here; there is grapheme (words: text.match(/[\\p{L}\\p{N}]+/gu))`);
    }
    segment(input) {
      const text = String(input);
      const all = () => { let index = 0; return JSON.parse(host.graphemes(text)).map(segment => { const one = { segment, index, input: text }; index += segment.length; return one; }); };
      return { [Symbol.iterator]: () => all()[Symbol.iterator](), containing: (at = 0) => all().findLast(one => one.index <= at && at < one.index + one.segment.length) };
    }
    resolvedOptions() { return { locale: this.#locale, granularity: 'grapheme' }; }
  }
  const DisplayNames = function DisplayNames() { throw new RangeError('Intl.DisplayNames is not here; write the names out'); };
  return { order, Collator: tagged(CollatorFunction, 'Collator'), PluralRules: tagged(PluralRules, 'PluralRules'), ListFormat: tagged(ListFormat, 'ListFormat'), RelativeTimeFormat: tagged(RelativeTimeFormat, 'RelativeTimeFormat'), Segmenter: tagged(Segmenter, 'Segmenter'), DisplayNames };
})
