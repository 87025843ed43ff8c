// A value as text, for output and for what scripts end in. Nothing of the value is run: getters are named and not
// invoked, proxies are not looked into, and what is taken from the engine is taken here, before any script. Bounded in
// every direction.
(kind => {
  'use strict';
  const { Map, Set, Symbol, Reflect, Object, Array, String, JSON, Temporal } = globalThis;
  const { apply, ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const { create, is } = Object;
  const { isArray } = Array;
  const { stringify } = JSON;
  const getter = (of, name) => getOwnPropertyDescriptor(of, name).get;
  const { charCodeAt, slice } = String.prototype;
  const toISO = Date.prototype.toISOString, time = Date.prototype.getTime;
  const symbol = Symbol.prototype.toString;
  const exec = RegExp.prototype.exec, NAME = /^[A-Za-z_$][\w$]*$/, INDEX = /^(0|[1-9]\d*)$/;
  const entries = Map.prototype.entries, values = Set.prototype.values;
  const nextEntry = new Map().entries().next, nextValue = new Set().values().next;
  const mapSize = getter(Map.prototype, 'size'), setSize = getter(Set.prototype, 'size');
  const typed = getPrototypeOf(Uint8Array.prototype);
  const typedLength = getter(typed, 'length'), bytes = getter(ArrayBuffer.prototype, 'byteLength');
  const viewBytes = getter(DataView.prototype, 'byteLength');
  const unbox = { number: Number.prototype.valueOf, string: String.prototype.valueOf, boolean: Boolean.prototype.valueOf, symbol: Symbol.prototype.valueOf, bigint: BigInt.prototype.valueOf };
  // Objects of the engine that say nothing as fields and everything as text.
  const texts = [];
  const textual = (name, made) => { if (made) texts[texts.length] = { prototype: made.prototype, name, text: made.prototype.toString }; };
  for (const name of ['PlainDate', 'PlainTime', 'PlainDateTime', 'ZonedDateTime', 'Instant', 'Duration', 'PlainYearMonth', 'PlainMonthDay']) {
    textual(`Temporal.${name}`, Temporal && Temporal[name]);
  }

  const DEPTH = 4, ITEMS = 100, NUMBERS = 20; // shown of each list; of binary data fewer
  const HEAD = 3000, TAIL = 500;              // characters of a text within a value
  const PARTS = 3000;                         // of one value in all
  const HOLES = 100000;                       // places of an array that are looked at
  let parts = 0;
  let skillOf; // a skill object or member → its path

  const matches = (pattern, text) => apply(exec, pattern, [text]) !== null;
  const cutAt = (text, at) => {
    const unit = apply(charCodeAt, text, [at]);
    // Not between the halves of a character.
    return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
  };
  const quote = text => {
    if (text.length <= HEAD + TAIL) return stringify(text);
    const head = cutAt(text, HEAD), tail = cutAt(text, text.length - TAIL);
    return `${stringify(apply(slice, text, [0, head]))} … ${tail - head} of ${text.length} characters left out … ${stringify(apply(slice, text, [tail]))}`;
  };
  // What stands at a name, own or inherited, if it is plain data.
  const data = (value, name) => {
    for (let at = value, depth = 0; at !== null && depth < 20; at = getPrototypeOf(at), depth++) {
      if (kind(at) === 'proxy') return undefined;
      const found = getOwnPropertyDescriptor(at, name);
      if (found !== undefined) return found.value;
    }
    return undefined;
  };
  const text = (value, name) => { const found = data(value, name); return typeof found === 'string' ? found : undefined; };
  const className = value => {
    const made = data(value, 'constructor');
    const name = typeof made === 'function' && kind(made) !== 'proxy' ? text(made, 'name') : undefined;
    const tag = name === undefined || name === 'Object' ? text(value, Symbol.toStringTag) : undefined;
    return tag || name || '';
  };
  const key = name => typeof name === 'symbol' ? `[${apply(symbol, name, [])}]` : matches(NAME, name) || matches(INDEX, name) ? name : stringify(name);
  const head = value => {
    const name = className(value);
    return name === 'Object' || name === '' ? '' : `${name} `;
  };
  const named = (what, standard) => what === '' ? standard : what;
  // The value of a property, or what it is if it would have to be run.
  const field = (found, depth, above) => {
    if (found.get !== undefined) return found.set !== undefined ? '[getter, setter]' : '[getter]';
    if (found.set !== undefined) return '[setter]';
    return show(found.value, depth, above);
  };
  const joined = (shown, left) => {
    let line = '';
    for (let i = 0; i < shown.length; i++) line += (i > 0 ? ', ' : '') + shown[i];
    return left > 0 ? `${line}${shown.length > 0 ? ', ' : ''}… ${left} more` : line;
  };
  // Enumerable properties besides those in `but`, as `name: value`.
  const fields = (value, depth, above, but) => {
    const shown = [];
    let left = 0;
    const keys = ownKeys(value);
    for (let i = 0; i < keys.length; i++) {
      if (but !== undefined && but(keys[i])) continue;
      const found = getOwnPropertyDescriptor(value, keys[i]);
      if (found === undefined || !found.enumerable) continue;
      if (shown.length >= ITEMS) left++;
      else shown[shown.length] = `${key(keys[i])}: ${field(found, depth, above)}`;
    }
    return { shown, left };
  };
  const braced = ({ shown, left }) => shown.length + left === 0 ? '{}' : `{ ${joined(shown, left)} }`;

  const list = (value, depth, above) => {
    const length = getOwnPropertyDescriptor(value, 'length').value;
    const shown = [];
    let at = 0, holes = 0;
    const flush = () => { if (holes > 0) shown[shown.length] = `<${holes} empty>`; holes = 0; };
    for (; at < length && at < HOLES && shown.length < ITEMS; at++) {
      const found = getOwnPropertyDescriptor(value, String(at));
      if (found === undefined) { holes++; continue; }
      flush();
      shown[shown.length] = field(found, depth, above);
    }
    flush();
    // What a match of a regular expression carries, and other names of its own.
    const more = length <= ITEMS ? fields(value, depth, above, name => typeof name === 'string' && matches(INDEX, name)) : { shown: [], left: 0 };
    const name = className(value);
    const own = more.shown.length > 0 ? (shown.length > 0 ? ', ' : '') + joined(more.shown, more.left) : '';
    return `${name === 'Array' || name === '' ? '' : `${name}(${length}) `}[${joined(shown, length - at)}${own}]`;
  };
  const error = (value, depth, above) => {
    let name = named(text(value, 'name') ?? '', 'Error');
    // A class of its own that did not set its name.
    const made = className(value);
    if (name === 'Error' && made !== '' && made !== 'Error') name = made;
    const message = text(value, 'message') ?? '';
    const more = fields(value, depth, above, name => name === 'name' || name === 'message' || name === 'stack');
    for (const name of ['cause', 'errors']) {
      const found = getOwnPropertyDescriptor(value, name);
      if (found !== undefined && !found.enumerable) more.shown[more.shown.length] = `${name}: ${field(found, depth, above)}`;
    }
    const head = message === '' ? name : `${name}: ${message}`;
    return more.shown.length > 0 ? `${head} ${braced(more)}` : head;
  };
  const collection = (value, depth, above, standard, size, iterator, next, one) => {
    const shown = [];
    for (let step = apply(next, iterator, []); !step.done && shown.length < ITEMS; step = apply(next, iterator, [])) {
      shown[shown.length] = one(step.value);
    }
    return `${named(className(value), standard)}(${size}) ${size === 0 ? '{}' : `{ ${joined(shown, size - shown.length)} }`}`;
  };
  const numbers = (value, depth) => {
    const length = apply(typedLength, value, []);
    const shown = [];
    for (let i = 0; i < length && i < NUMBERS; i++) shown[i] = show(value[i], depth, []);
    return `${className(value)}(${length}) [${joined(shown, length - shown.length)}]`;
  };
  const callable = value => {
    const name = text(value, 'name') ?? '';
    // The prototype of a class stays what it is.
    const own = getOwnPropertyDescriptor(value, 'prototype');
    const isClass = own !== undefined && own.writable === false;
    return `[${isClass ? 'class' : 'function'} ${name === '' ? 'without name' : name}]`;
  };

  const show = (value, depth, above) => {
    switch (typeof value) {
      case 'string': return quote(value);
      case 'bigint': return `${value}n`;
      case 'symbol': return apply(symbol, value, []);
      case 'function': {
        const path = skillOf(value);
        return path !== undefined ? `[skill ${path}]` : kind(value) === 'proxy' ? '[proxy]' : callable(value);
      }
      case 'object': break;
      default: return is(value, -0) ? '-0' : String(value);
    }
    if (value === null) return 'null';
    for (let i = 0; i < above.length; i++) if (above[i] === value) return '[circular]';
    if (++parts > PARTS) return '…';
    const what = kind(value);
    const inner = [];
    for (let i = 0; i < above.length; i++) inner[i] = above[i];
    inner[inner.length] = value;
    const deeper = depth - 1;
    switch (what) {
      case 'proxy': return '[proxy]';
      case 'promise': return '[promise, not awaited]';
      case 'date': { const at = apply(time, value, []); return at !== at ? 'Invalid Date' : apply(toISO, value, []); }
      case 'regexp': return pattern(value);
      case 'buffer': return `ArrayBuffer(${apply(bytes, value, [])} bytes)`;
      case 'view': return `DataView(${apply(viewBytes, value, [])} bytes)`;
      case 'weak': return `[${named(className(value), 'WeakMap')}]`;
      case 'typed': return numbers(value, deeper);
      case 'number': case 'string': case 'boolean': case 'symbol': case 'bigint':
        return `[${className(value)}: ${show(apply(unbox[what], value, []), 0, [])}]`;
    }
    for (let i = 0; i < texts.length; i++) {
      for (let at = getPrototypeOf(value), steps = 0; at !== null && steps < 3 && kind(at) !== 'proxy'; at = getPrototypeOf(at), steps++) {
        if (at === texts[i].prototype) {
          try { return `[${texts[i].name} ${apply(texts[i].text, value, [])}]`; } catch { /* it only looks like one */ }
        }
      }
    }
    if (depth <= 0) return isArray(value) ? `[array of ${getOwnPropertyDescriptor(value, 'length').value}]` : `${head(value)}{…}`;
    if (isArray(value)) return list(value, deeper, inner);
    switch (what) {
      case 'error': return error(value, deeper, inner);
      case 'map': return collection(value, deeper, inner, 'Map', apply(mapSize, value, []), apply(entries, value, []), nextEntry,
        pair => `${show(pair[0], deeper, inner)} => ${show(pair[1], deeper, inner)}`);
      case 'set': return collection(value, deeper, inner, 'Set', apply(setSize, value, []), apply(values, value, []), nextValue,
        one => show(one, deeper, inner));
    }
    return `${head(value)}${braced(fields(value, deeper, inner))}`;
  };
  const patternSource = getter(RegExp.prototype, 'source'), patternFlags = ['d', 'g', 'i', 'm', 's', 'u', 'v', 'y'];
  const flagOf = create(null);
  for (const [flag, name] of [['d', 'hasIndices'], ['g', 'global'], ['i', 'ignoreCase'], ['m', 'multiline'], ['s', 'dotAll'], ['u', 'unicode'], ['v', 'unicodeSets'], ['y', 'sticky']]) {
    flagOf[flag] = getter(RegExp.prototype, name);
  }
  const pattern = value => {
    let flags = '';
    for (let i = 0; i < patternFlags.length; i++) if (apply(flagOf[patternFlags[i]], value, [])) flags += patternFlags[i];
    return `/${apply(patternSource, value, [])}/${flags}`;
  };

  const shown = (value, pathOf) => {
    skillOf = pathOf;
    if (typeof value === 'string') return value;
    parts = 0;
    try { return show(value, DEPTH, []); } catch (wrong) { return `[cannot be shown: ${text(Object(wrong), 'message') ?? 'unknown'}]`; }
  };
  // What is loaded later says so.
  shown.textual = textual;
  return shown;
})
