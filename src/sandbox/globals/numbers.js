// Numbers in the locales that are here, digit by digit as ICU writes them, or a RangeError that says what works instead.
((host, kit) => {
  'use strict';
  const { locale, supported, option, refuse } = kit;
  const LARGEST = 1e15;
  // A finite number as its shortest digits: value = 0.DIGITS × 10^point.
  const digitsOf = value => {
    if (typeof value === 'bigint') {
      const text = String(value < 0n ? -value : value).replace(/^0+/, '');
      return { negative: value < 0n, digits: text, point: text.length };
    }
    const [mantissa, exponent = '0'] = String(Math.abs(value)).split('e');
    const [whole, part = ''] = mantissa.split('.');
    const all = whole + part, lead = all.length - all.replace(/^0+/, '').length;
    return { negative: value < 0 || Object.is(value, -0), digits: all.slice(lead).replace(/0+$/, ''), point: whole.length + Number(exponent) - lead };
  };
  // Keeps so many digits; a half goes away from zero.
  const rounded = (number, keep) => {
    const { digits, point, negative } = number;
    if (keep >= digits.length) return number;
    if (keep < 0 || keep === 0 && digits[0] < '5') return { negative, digits: '', point: 0 };
    if (digits[keep] < '5') return { negative, digits: digits.slice(0, keep).replace(/0+$/, ''), point };
    const up = String(BigInt('0' + digits.slice(0, keep)) + 1n).padStart(keep, '0');
    return { negative, digits: up.replace(/0+$/, ''), point: point + (up.length > keep ? 1 : 0) };
  };

  const whole = (options, name, least, most, fallback) => {
    const value = options[name];
    if (value === undefined) return fallback;
    const n = Number(value);
    if (!(n >= least && n <= most)) throw new RangeError(`${name} value is out of range.`);
    return Math.floor(n);
  };

  const make = (locales, given) => {
    const { wished, data: load } = locale(locales);
    if (given === null) throw new TypeError('Cannot convert undefined or null to object');
    const o = given === undefined ? {} : Object(given);
    if (option(o, 'numberingSystem', undefined, 'latn') !== 'latn') throw new RangeError('only the digits 0 to 9 are here');
    const style = option(o, 'style', ['decimal', 'percent', 'currency', 'unit'], 'decimal');
    if (style === 'unit') throw new RangeError('units are not here; write the number and its unit: `${n.toLocaleString()} km`');
    let currency = option(o, 'currency', undefined);
    if (currency !== undefined && !/^[a-z]{3}$/i.test(currency)) throw new RangeError(`Invalid currency code : ${currency}`);
    if (style === 'currency' && currency === undefined) throw new TypeError('Currency code is required with currency style.');
    const display = option(o, 'currencyDisplay', ['code', 'symbol', 'narrowSymbol', 'name'], 'symbol');
    const sign = option(o, 'currencySign', ['standard', 'accounting'], 'standard');
    const notation = option(o, 'notation', ['standard', 'scientific', 'engineering', 'compact'], 'standard');
    const compactDisplay = option(o, 'compactDisplay', ['short', 'long'], 'short');
    const signDisplay = option(o, 'signDisplay', ['auto', 'never', 'always', 'exceptZero', 'negative'], 'auto');
    if (notation === 'scientific' || notation === 'engineering') throw new RangeError(`notation ${notation} is not here; use toExponential()`);
    refuse(o, ['roundingMode', 'roundingIncrement', 'roundingPriority', 'trailingZeroDisplay'], 'NumberFormat');
    const data = load().number;
    let money;
    if (style === 'currency') {
      currency = currency.toUpperCase();
      if (display === 'name') throw new RangeError('names of currencies are not here; use currencyDisplay: "code"');
      money = data.currency[currency];
      if (money === undefined) throw new RangeError(`the currency ${currency} is not here; there are ${Object.keys(data.currency).join(', ')}`);
      if (notation === 'compact') throw new RangeError('compact currencies are not here; write the symbol before a compact number');
    }
    if (notation === 'compact' && style === 'percent') throw new RangeError('compact percentages are not here; leave notation out');
    if (notation === 'compact' && data.short === undefined) throw new RangeError('compact numbers are not here for this locale');
    if (notation === 'compact' && o.minimumIntegerDigits !== undefined) throw new RangeError('minimumIntegerDigits and compact do not go together here');
    const usual = money === undefined ? 0 : money[0];
    const integers = whole(o, 'minimumIntegerDigits', 1, 21, 1);
    let least = whole(o, 'minimumFractionDigits', 0, 100), most = whole(o, 'maximumFractionDigits', 0, 100);
    const leastSignificant = whole(o, 'minimumSignificantDigits', 1, 21), mostSignificant = whole(o, 'maximumSignificantDigits', leastSignificant ?? 1, 21);
    const significant = leastSignificant !== undefined || mostSignificant !== undefined ? { least: leastSignificant ?? 1, most: mostSignificant ?? 21 } : undefined;
    const isCompactRounding = notation === 'compact' && significant === undefined && least === undefined && most === undefined;
    const defaultMost = money !== undefined && notation === 'standard' ? usual : style === 'percent' ? 0 : 3;
    if (least === undefined && most === undefined) { least = money === undefined ? 0 : usual; most = Math.max(least, defaultMost); }
    else if (least === undefined) least = Math.min(money === undefined ? 0 : usual, most);
    else if (most === undefined) most = Math.max(defaultMost, least);
    else if (least > most) throw new RangeError('maximumFractionDigits value is out of range.');
    let grouping = o.useGrouping;
    if (grouping === undefined || grouping === 'true' || grouping === 'false') grouping = notation === 'compact' ? 'min2' : 'auto';
    else if (grouping === 'auto' && notation === 'compact') grouping = 'min2';
    else if (grouping === true) grouping = 'always';
    else if (!grouping) grouping = false;
    else {
      grouping = String(grouping);
      if (!['min2', 'auto', 'always'].includes(grouping)) throw new RangeError(`Value ${grouping} out of range for Intl options property useGrouping`);
    }

    const fitted = number => significant !== undefined ? rounded(number, significant.most) : isCompactRounding ? rounded(number, Math.max(2, number.point)) : rounded(number, number.point + most);
    const parts = value => {
      if (typeof value === 'string') value = Number(value);
      else if (typeof value === 'object' && value !== null) value = Number(value);
      else if (typeof value !== 'bigint') value = Number(value);
      const isNumber = typeof value === 'bigint' || Number.isFinite(value);
      const body = [];
      let number = { negative: typeof value === 'number' && value < 0, digits: '', point: 0 }, suffix = '';
      if (!isNumber) body.push(Number.isNaN(value) ? { type: 'nan', value: data.nan } : { type: 'infinity', value: '∞' });
      else {
        number = digitsOf(value);
        if (style === 'percent' && number.digits !== '') number = { ...number, point: number.point + 2 };
        if (notation === 'compact') {
          if (number.point > 15) throw new RangeError('compact numbers end at 999 trillion here');
          const scale = n => {
            const row = n.digits === '' || n.point < 4 ? undefined : data[compactDisplay][n.point - 4];
            const found = /^(\d)(.*)$/s.exec(row ?? '');
            return found === null || found[2] === '' ? [0, ''] : [n.point - Number(found[1]), found[2]];
          };
          let [shift, word] = scale(number);
          let scaled = fitted({ ...number, point: number.point - shift });
          // 999,999 becomes a million.
          const again = scale({ ...scaled, point: scaled.point + shift });
          if (scaled.digits !== '' && again[0] !== shift) { [shift, word] = again; scaled = fitted({ ...number, point: number.point - shift }); }
          number = scaled;
          suffix = word;
        } else number = fitted(number);
        const { digits, point } = number;
        const filled = digits.padEnd(Math.max(point, 0), '0');
        let integer = point <= 0 ? '0' : filled.slice(0, point), fraction = point <= 0 ? (digits === '' ? '' : '0'.repeat(-point) + digits) : filled.slice(point);
        if (significant !== undefined) {
          const shown = digits === '' ? 1 : point <= 0 ? digits.length : Math.max(digits.length, point);
          fraction = fraction + '0'.repeat(Math.max(0, significant.least - shown));
        } else if (!isCompactRounding) fraction = fraction.padEnd(least, '0');
        integer = integer.padStart(integers, '0');
        const isGrouped = grouping !== false && integer.length > 3 && integer.length >= 3 + (grouping === 'min2' ? 2 : grouping === 'always' ? 1 : data.groupsFrom);
        const groups = isGrouped ? integer.replace(/\B(?=(\d{3})+$)/g, ',').split(',') : [integer];
        groups.forEach((group, i) => { if (i > 0) body.push({ type: 'group', value: data.group }); body.push({ type: 'integer', value: group }); });
        if (fraction !== '') body.push({ type: 'decimal', value: data.decimal }, { type: 'fraction', value: fraction });
      }
      const isZero = isNumber ? number.digits === '' : Number.isNaN(value);
      const isMinus = number.negative && signDisplay !== 'never' && !(isZero && (signDisplay === 'exceptZero' || signDisplay === 'negative'));
      const isPlus = !number.negative && (signDisplay === 'always' || signDisplay === 'exceptZero' && !isZero);
      const made = [];
      const words = text => {
        if (text === '') return;
        if (style === 'percent') { const gap = text.replace('%', ''); if (gap !== '') made.push({ type: 'literal', value: gap }); made.push({ type: 'percentSign', value: '%' }); return; }
        const gap = /^\s|\s$/.exec(text), word = text.replace(/^\s|\s$/, '');
        // The gap between letters and digits; other things have none.
        if (gap !== null && gap.index === 0 && (isNumber || before === '' || style !== 'currency')) made.push({ type: 'literal', value: gap[0] });
        made.push({ type: style === 'currency' ? 'currency' : 'compact', value: word });
        if (gap !== null && gap.index > 0 && (isNumber || before === '')) made.push({ type: 'literal', value: gap[0] });
      };
      const frame = money === undefined ? (style === 'percent' ? data.percent : '{n}') : money[['symbol', 'narrowSymbol', 'code'].indexOf(display) + 1];
      const [before, after] = frame.split('|')[0].split('{n}');
      const inBrackets = isMinus && style === 'currency' && sign === 'accounting' && data.accounting;
      if (inBrackets) made.push({ type: 'literal', value: '(' });
      else if (isMinus) made.push({ type: 'minusSign', value: data.minus });
      else if (isPlus) made.push({ type: 'plusSign', value: data.plus });
      words(before);
      made.push(...body);
      words(after);
      words(suffix);
      if (inBrackets) made.push({ type: 'literal', value: ')' });
      return made;
    };
    const resolved = { locale: wished, numberingSystem: 'latn', style };
    if (style === 'currency') Object.assign(resolved, { currency, currencyDisplay: display, currencySign: sign });
    resolved.minimumIntegerDigits = integers;
    if (significant !== undefined) Object.assign(resolved, { minimumSignificantDigits: significant.least, maximumSignificantDigits: significant.most });
    else Object.assign(resolved, { minimumFractionDigits: least, maximumFractionDigits: most });
    Object.assign(resolved, { useGrouping: grouping, notation, signDisplay });
    if (notation === 'compact') resolved.compactDisplay = compactDisplay;
    return { parts, resolved };
  };

  const text = (made, value) => made.parts(value).map(part => part.value).join('');
  const kept = new WeakMap();
  const NumberFormat = function NumberFormat(locales, options) {
    const format = Object.create(NumberFormat.prototype);
    kept.set(format, make(locales, options));
    return format;
  };
  const method = (name, value) => Object.defineProperty(NumberFormat.prototype, name, { value, writable: true, configurable: true });
  Object.defineProperty(NumberFormat.prototype, 'format', { get() { const made = kept.get(this); return value => text(made, value); }, configurable: true });
  method('formatToParts', function formatToParts(value) { return kept.get(this).parts(value); });
  method('resolvedOptions', function resolvedOptions() { return { ...kept.get(this).resolved }; });
  for (const name of ['formatRange', 'formatRangeToParts']) method(name, () => { throw new RangeError(`${name} is not here; format both numbers`); });
  Object.defineProperty(NumberFormat.prototype, Symbol.toStringTag, { value: 'Intl.NumberFormat', configurable: true });
  NumberFormat.supportedLocalesOf = supported;

  const shared = new Map();
  const numbers = (value, locales, options) => {
    const isPlain = locales === undefined || typeof locales === 'string';
    const key = isPlain ? JSON.stringify([locales, options]) : undefined;
    let made = key === undefined ? undefined : shared.get(key);
    if (made === undefined) {
      made = make(locales, options);
      if (key !== undefined && shared.size < 50) shared.set(key, made);
    }
    return text(made, value);
  };
  return { NumberFormat, numbers };
})
