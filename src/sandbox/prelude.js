// What every script finds: skill objects, console, timers, and a few globals that people expect. Evaluated once in each
// child, before anything else; what it takes from the engine it takes here, so that later changes do not reach it.
(host => {
  'use strict';
  const { Error, TypeError, RangeError, Promise, Proxy, Map, WeakMap, Set, Date, Symbol, Reflect, JSON, Object, Array, String, Number, Math } = globalThis;
  const errors = { Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError };
  const { stringify, parse } = JSON;
  const { apply } = Reflect;
  const then = Promise.prototype.then;
  const isError = value => value instanceof Error;

  const waiting = new Map();     // call id → { resolve, reject, path }
  const madeBy = new WeakMap();  // promise → call id
  const failedIn = new WeakMap(); // error → path of the call that threw it
  let calls = 0;
  let origin = 'computed';

  // --- calls -------------------------------------------------------------------------------------------------------

  const plain = (path, args) => {
    const seen = [];
    const text = stringify(args, function (key, value) {
      const raw = this[key];
      if (typeof value === 'function' || typeof value === 'symbol') {
        throw new TypeError(`${path}: ${key === '' ? 'an argument' : `argument part "${key}"`} is a ${typeof value}; only plain values cross to a skill`);
      }
      if (typeof value === 'bigint') return String(value);
      if (typeof raw === 'number' && !Number.isFinite(raw)) return null;
      return value;
    });
    return text;
  };

  const call = (path, args) => {
    let text;
    try {
      text = plain(path, [...args]);
    } catch (error) {
      const wrong = isError(error) && error.message.includes(path)
        ? error : new TypeError(`${path}: the arguments cannot be passed: ${error && error.message}`);
      failedIn.set(wrong, path);
      return Promise.reject(wrong);
    }
    const id = ++calls;
    const promise = new Promise((resolve, reject) => waiting.set(id, { resolve, reject, path }));
    madeBy.set(promise, id);
    host.call(id, path, text);
    return promise;
  };

  const errorOf = (name, message, path) => {
    const Kind = errors[name] ?? Error;
    const error = new Kind(message);
    if (error.name !== name) Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true });
    if (path !== undefined) failedIn.set(error, path);
    return error;
  };

  const settle = (id, ok, text) => {
    const entry = waiting.get(id);
    if (entry === undefined) return;
    waiting.delete(id);
    const value = parse(text);
    if (ok) entry.resolve(value === null ? undefined : value);
    else entry.reject(errorOf(value.name, value.message, entry.path));
  };

  // A skill object: every member path of it can be called, whether it is declared or not.
  const refuse = path => () => { throw new TypeError(`${path} cannot be changed`); };
  const member = path => {
    const parts = new Map();
    const target = function () {};
    return new Proxy(target, {
      apply: (_, __, args) => call(path, args),
      construct: () => { throw new TypeError(`${path} is not a constructor`); },
      get: (_, key) => {
        if (typeof key === 'symbol') return key === Symbol.toPrimitive ? () => `[skill ${path}]` : undefined;
        // A promise resolves to an object without `then`, and JSON leaves it out.
        if (key === 'then' || key === 'toJSON') return undefined;
        if (key === 'call') return (_, ...args) => call(path, args);
        if (key === 'apply') return (_, args) => call(path, args ?? []);
        if (key === 'bind') return (_, ...first) => (...args) => call(path, [...first, ...args]);
        if (key === 'toString') return () => `[skill ${path}]`;
        if (!parts.has(key)) parts.set(key, member(`${path}.${key}`));
        return parts.get(key);
      },
      set: refuse(path), defineProperty: refuse(path), deleteProperty: refuse(path), setPrototypeOf: refuse(path),
      getPrototypeOf: () => null, has: () => true, ownKeys: () => ['prototype'],
    });
  };

  // --- showing values ----------------------------------------------------------------------------------------------

  const LONGEST = 4000, ITEMS = 100, DEPTH = 4;
  const isName = key => /^[A-Za-z_$][\w$]*$/.test(key);
  const quote = text => stringify(text);
  const show = (value, depth, seen) => {
    switch (typeof value) {
      case 'string': return quote(value.length > LONGEST ? `${value.slice(0, LONGEST)}… (${value.length} characters)` : value);
      case 'bigint': return `${value}n`;
      case 'symbol': return String(value);
      case 'function': {
        try { return `[function ${value.name || 'without name'}]`; } catch { return '[skill]'; }
      }
      case 'object': break;
      default: return Object.is(value, -0) ? '-0' : String(value);
    }
    if (value === null) return 'null';
    if (seen.includes(value)) return '[circular]';
    if (isError(value)) return `${value.name}: ${value.message}`;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof Promise) return '[promise, not awaited]';
    const inner = [...seen, value];
    const kind = value.constructor && value.constructor.name;
    if (depth <= 0) return Array.isArray(value) ? `[array of ${value.length}]` : '{…}';
    const list = (items, show) => {
      const shown = items.slice(0, ITEMS).map(show);
      if (items.length > ITEMS) shown.push(`… ${items.length - ITEMS} more`);
      return shown.join(', ');
    };
    if (Array.isArray(value)) return `[${list(value, item => show(item, depth - 1, inner))}]`;
    if (value instanceof Map) return `Map { ${list([...value], ([k, v]) => `${show(k, depth - 1, inner)} => ${show(v, depth - 1, inner)}`)} }`;
    if (value instanceof Set) return `Set { ${list([...value], item => show(item, depth - 1, inner))} }`;
    if (value instanceof RegExp) return String(value);
    if (ArrayBuffer.isView(value) && value.length !== undefined) return `${kind}(${value.length}) [${list([...value.slice(0, ITEMS + 1)], String)}]`;
    const keys = Object.keys(value);
    const fields = list(keys, key => `${isName(key) ? key : quote(key)}: ${show(value[key], depth - 1, inner)}`);
    const head = kind && kind !== 'Object' ? `${kind} ` : '';
    return fields === '' ? `${head}{}` : `${head}{ ${fields} }`;
  };
  const inspect = value => {
    try { return typeof value === 'string' ? value : show(value, DEPTH, []); } catch (error) { return `[cannot be shown: ${error && error.message}]`; }
  };

  const print = (...values) => host.print(values.map(inspect).join(' '));
  const counts = new Map();
  const console = {
    log: print, info: print, debug: print, warn: print, error: print, trace: print, dir: value => print(value), table: value => print(value),
    group: print, groupCollapsed: print, groupEnd: () => {}, time: () => {}, timeEnd: () => {}, timeLog: () => {}, clear: () => {},
    assert: (so, ...values) => { if (!so) print('Assertion failed:', ...values); },
    count: (label = 'default') => { counts.set(label, (counts.get(label) ?? 0) + 1); print(`${label}: ${counts.get(label)}`); },
  };

  // --- timers ------------------------------------------------------------------------------------------------------

  const timers = new Map();
  let lastTimer = 0;
  const start = (action, ms, args, again) => {
    if (typeof action !== 'function') throw new TypeError('a timer needs a function');
    const id = ++lastTimer;
    timers.set(id, ms);
    const arm = () => {
      const promise = call('$timer', [Math.max(again ? 1 : 0, Number(ms) || 0)]);
      apply(then, promise, [() => {
        if (!timers.has(id)) return;
        if (!again) timers.delete(id);
        try { action(...args); } finally { if (again && timers.has(id)) arm(); }
      }]);
    };
    arm();
    return id;
  };
  const clear = id => { timers.delete(Number(id)); };

  // --- globals -----------------------------------------------------------------------------------------------------

  const define = (name, value, writable = true) =>
    Object.defineProperty(globalThis, name, { value, writable, enumerable: false, configurable: true });

  define('console', console);
  define('setTimeout', (action, ms, ...args) => start(action, ms, args, false));
  define('setInterval', (action, ms, ...args) => start(action, ms, args, true));
  define('clearTimeout', clear);
  define('clearInterval', clear);
  define('queueMicrotask', action => { apply(then, Promise.resolve(), [() => action()]); });
  Object.defineProperty(Math, 'random', { value: () => host.random(), writable: true, configurable: true });
  const hex = n => Math.floor(host.random() * 2 ** (4 * n)).toString(16).padStart(n, '0');
  define('crypto', {
    randomUUID: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${(8 + Math.floor(host.random() * 4)).toString(16)}${hex(3)}-${hex(8)}${hex(4)}`,
    getRandomValues: array => { for (let i = 0; i < array.length; i++) array[i] = Math.floor(host.random() * 2 ** 32); return array; },
  });
  define('performance', { now: () => Date.now() - host.begun() });

  // Zones are not known to the engine's own locale methods, which would silently answer in another one.
  const zoned = Date.prototype;
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) {
    const original = zoned[name];
    Object.defineProperty(zoned, name, {
      value: function (locales, options) {
        if (options && options.timeZone !== undefined) {
          throw new RangeError(`${name} does not know time zones here; use Temporal: Temporal.Now.zonedDateTimeISO(zone).toPlainDateTime().toString()`);
        }
        return apply(original, this, []);
      },
      writable: true, configurable: true,
    });
  }

  const parts = value => {
    if (isError(value)) return { name: String(value.name), message: String(value.message), stack: String(value.stack ?? ''), call: failedIn.get(value) ?? null };
    return { name: 'Error', message: `a value that is no error was thrown: ${inspect(value)}`, stack: '', call: null };
  };
  const described = value => {
    try { return parts(value); } catch { return { name: 'Error', message: 'an error that cannot be read was thrown', stack: '', call: null }; }
  };

  return {
    // Before a script: the names that it may not have lost, whatever the one before it did.
    begin(skills, ctx) {
      for (const name of parse(skills)) define(name, member(name));
      define('ctx', parse(ctx) ?? {});
      origin = 'computed';
    },
    // What a script's last expression gave: the result of a call, or something computed.
    result(value) {
      const id = value !== null && typeof value === 'object' ? madeBy.get(value) : undefined;
      origin = id === undefined ? 'computed' : id;
      return value;
    },
    returned(value) {
      origin = 'returned';
      return value;
    },
    keep: define,
    settle,
    // How many calls the script still waits for, timers apart.
    waiting: () => { let n = 0; for (const entry of waiting.values()) if (entry.path !== '$timer') n++; return n; },
    timers: () => timers.size,
    cancel: () => { const n = timers.size; timers.clear(); for (const [id, entry] of waiting) if (entry.path === '$timer') waiting.delete(id); return n; },
    ended(value) {
      const shown = value === undefined ? null : inspect(value);
      return stringify({ value: shown, origin });
    },
    ctx: () => stringify(globalThis.ctx) ?? 'null',
    described: value => stringify(described(value)),

    // --- for skill code ----------------------------------------------------------------------------------------------
    serve(fetchText) {
      const answer = reply => {
        const headers = new Map(reply.headers);
        return {
          url: reply.url, status: reply.status, ok: reply.status >= 200 && reply.status < 300, statusText: '',
          headers: { get: name => headers.get(String(name).toLowerCase()) ?? null, has: name => headers.has(String(name).toLowerCase()), entries: () => headers.entries(), forEach: f => headers.forEach((v, k) => f(v, k)) },
          text: async () => reply.body,
          json: async () => parse(reply.body),
        };
      };
      define('fetch', async (url, options = {}) => {
        const given = options.headers ?? {};
        const headers = Array.isArray(given) ? given : Object.entries(given);
        const body = options.body === undefined || options.body === null ? null : String(options.body);
        return answer(await call('$fetch', [{ method: String(options.method ?? 'GET'), url: String(url), headers: headers.map(([k, v]) => [String(k), String(v)]), body }]));
      });
    },
    invoke(object, path, args) {
      const names = path.split('.').slice(1);
      let owner = object, value = object;
      for (const name of names) {
        owner = value;
        value = value === null || value === undefined ? undefined : Object.hasOwn(value, name) || typeof value[name] === 'function' ? value[name] : undefined;
      }
      if (typeof value !== 'function') throw new TypeError(`${path} is not a function`);
      return (async () => apply(value, owner, parse(args)))();
    },
    json: value => stringify(value) ?? 'null',
  };
})
