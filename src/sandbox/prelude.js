// What every script finds: skill objects, console, timers, and a few globals that people expect. Evaluated once in each
// child, before anything else; what it takes from the engine it takes here, so that later changes do not reach it.
(host => {
  'use strict';
  const { Error, TypeError, RangeError, Promise, Proxy, Map, WeakMap, Set, Date, Symbol, Reflect, JSON, Object, Array, String, Number, Math } = globalThis;
  const errors = { Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError };
  const { stringify, parse } = JSON;
  const { apply, construct, get, has } = Reflect;
  const { create, defineProperty, getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf, is } = Object;
  const { isArray } = Array;
  const { isFinite } = Number;
  const { get: weakGet, set: weakSet } = WeakMap.prototype;
  const { includes, slice } = String.prototype;
  const isError = value => value instanceof Error;

  // Nothing below this line may trust a method of a prototype where a script's calls and reports depend on it.
  const waiting = create(null);   // call id → { resolve, reject, path, site }
  const madeBy = new WeakMap();   // promise → call id
  const failedIn = new WeakMap(); // error → path of the call that threw it
  const siteOf = new WeakMap();   // the same error → an error made where the call was
  const LONGEST_PATH = 200;
  let calls = 0, openCalls = 0, openTimers = 0;
  let origin = 'computed';

  // --- calls -------------------------------------------------------------------------------------------------------

  // Most arguments are a few words and numbers; only what has parts needs a look at each of them.
  const isBare = args => {
    for (let i = 0; i < args.length; i++) {
      const kind = typeof args[i];
      if (kind !== 'string' && kind !== 'boolean' && !(kind === 'number' && isFinite(args[i]))) return false;
    }
    return true;
  };
  let passing = false; // whether arguments are being written, where a promise gets a message of its own
  const plain = (path, args) => {
    if (isBare(args)) return stringify(args);
    passing = true;
    try {
      return stringify(args, function (key, value) {
        const part = () => this === args ? `argument ${+key + 1}` : `argument part "${key}"`;
        const raw = this[key];
        if (typeof value === 'function' || typeof value === 'symbol') {
          throw new TypeError(`${path}: ${part()} is a ${typeof value}; only plain values cross to a skill`);
        }
        if (value instanceof Promise) throw new TypeError(`${path}: ${part()} is a promise, not what it will give; await it first`);
        if (typeof value === 'bigint') return String(value);
        if (typeof raw === 'number' && !isFinite(raw)) return null;
        return value;
      });
    } finally { passing = false; }
  };

  // A promise that is used as if it were its value would be "undefined" or "[object Promise]" in silence. So no promise
  // becomes text, a number or JSON, and that of a call has no members but those of promises. What is thrown here is
  // turned into the author's words where errors are explained.
  const early = what => { throw new TypeError(`a promise ${what}; await it first`); };
  const promises = Promise.prototype;
  defineProperty(promises, Symbol.toPrimitive, { __proto__: null, value: () => early('is no text or number'), writable: true, configurable: true });
  defineProperty(promises, 'toJSON', { __proto__: null, value() { return passing ? this : early('is no JSON'); }, writable: true, configurable: true });
  const isMember = (target, key) => typeof key === 'symbol' || has(target, key);
  const strict = new Proxy(create(promises), {
    __proto__: null,
    get: (target, key, self) => isMember(target, key) ? get(target, key, self) : early(`has no member "${key}"`),
    has: (target, key) => isMember(target, key) || early(`has no member "${key}"`),
    ownKeys: () => early('has no members to go through'),
  });
  // What `await` and chains look up stands before the proxy, which is slow.
  const { then, catch: caught, finally: after } = promises;
  function Pending() {}
  Pending.prototype = create(strict);
  for (const [key, value] of [['constructor', Promise], ['then', then], ['catch', caught], ['finally', after]]) {
    defineProperty(Pending.prototype, key, { __proto__: null, value, writable: true, configurable: true });
  }
  const pending = begin => construct(Promise, [begin], Pending);

  const call = (path, args) => {
    const id = ++calls;
    try {
      host.call(id, path, plain(path, args));
    } catch (error) {
      const wrong = isError(error) && apply(includes, error.message, [path])
        ? error : new TypeError(`${path}: the arguments cannot be passed: ${error && error.message}`);
      apply(weakSet, failedIn, [wrong, path]);
      return pending((_, reject) => reject(wrong));
    }
    const promise = pending((resolve, reject) => { waiting[id] = { __proto__: null, resolve, reject, path, site: new Error() }; });
    if (path === '$timer') openTimers++; else openCalls++;
    apply(weakSet, madeBy, [promise, id]);
    return promise;
  };

  const errorOf = (name, message, path) => {
    const Kind = errors[name] ?? Error;
    const error = new Kind(message);
    if (error.name !== name) defineProperty(error, 'name', { __proto__: null, value: name, configurable: true, writable: true });
    if (path !== undefined) apply(weakSet, failedIn, [error, path]);
    return error;
  };

  const settle = (id, ok, value) => {
    const entry = waiting[id];
    if (entry === undefined) return;
    delete waiting[id];
    if (entry.path === '$timer') openTimers--; else openCalls--;
    if (ok) entry.resolve(value === null ? undefined : value);
    else {
      const error = errorOf(value.name, value.message, entry.path);
      apply(weakSet, siteOf, [error, entry.site]);
      entry.reject(error);
    }
  };

  // A skill object: every member path of it can be called, whether it is declared or not.
  const skillPath = new WeakMap(); // skill object or member → its path
  const refuse = path => () => { throw new TypeError(`${path} cannot be changed`); };
  const member = path => {
    if (path.length > LONGEST_PATH) throw new TypeError(`the path ${apply(slice, path, [0, 40])}… is longer than ${LONGEST_PATH} characters`);
    const parts = create(null);
    const target = function () {};
    const made = new Proxy(target, {
      __proto__: null,
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
        return parts[key] ?? (parts[key] = member(`${path}.${key}`));
      },
      set: refuse(path), defineProperty: refuse(path), deleteProperty: refuse(path), setPrototypeOf: refuse(path),
      getPrototypeOf: () => null, has: () => true, ownKeys: () => ['prototype'],
    });
    apply(weakSet, skillPath, [made, path]);
    return made;
  };

  // --- showing values ----------------------------------------------------------------------------------------------

  const { show } = host;
  const pathOf = value => apply(weakGet, skillPath, [value]);
  const inspect = value => show(value, pathOf);

  // --- timers ------------------------------------------------------------------------------------------------------

  let timers = create(null); // id → true while it is set
  let lastTimer = 0, running = 0, quiet = 0;
  const stop = id => {
    if (!timers[id]) return false;
    delete timers[id];
    running--;
    return true;
  };
  const start = (action, ms, args, again) => {
    if (typeof action !== 'function') throw new TypeError('a timer needs a function, not text');
    const id = ++lastTimer;
    timers[id] = true;
    running++;
    const arm = () => {
      const promise = call('$timer', [Math.max(again ? 1 : 0, Number(ms) || 0)]);
      apply(then, promise, [() => {
        if (!timers[id]) return;
        if (!again) stop(id);
        try { apply(action, undefined, args); } finally { if (again && timers[id]) arm(); }
      }]);
    };
    arm();
    return id;
  };
  // One that is nobody's to wait for: its end is not worth a word.
  const quietly = (action, ms) => {
    quiet++;
    start(() => { quiet--; action(); }, ms, [], false);
  };
  const clear = id => { stop(Number(id)); };

  // --- globals -----------------------------------------------------------------------------------------------------

  const define = (name, value, writable = true) =>
    defineProperty(globalThis, name, { __proto__: null, value, writable, enumerable: false, configurable: true });

  define('setTimeout', (action, ms, ...args) => start(action, ms, args, false));
  define('setInterval', (action, ms, ...args) => start(action, ms, args, true));
  define('clearTimeout', clear);
  define('clearInterval', clear);
  define('queueMicrotask', action => {
    if (typeof action !== 'function') throw new TypeError('queueMicrotask needs a function');
    apply(then, Promise.resolve(), [() => action()]);
  });
  Object.defineProperty(Math, 'random', { value: () => host.random(), writable: true, configurable: true });
  define('performance', { now: () => Date.now() - host.begun() });

  const parts = value => {
    const cut = (text, most) => apply(slice, String(text), [0, most]);
    if (isError(value)) {
      const call = apply(weakGet, failedIn, [value]) ?? null;
      const stack = (apply(weakGet, siteOf, [value]) ?? value).stack ?? '';
      return { __proto__: null, name: cut(value.name, 100), message: cut(value.message, 2000), stack: cut(stack, 8000), call };
    }
    return { __proto__: null, name: 'Error', message: `a value that is no error was thrown: ${apply(slice, inspect(value), [0, 500])}`, stack: '', call: null };
  };
  const described = value => {
    try { return parts(value); } catch { return { __proto__: null, name: 'Error', message: 'an error that cannot be read was thrown', stack: '', call: null }; }
  };

  // What stands at a path of the turn's own names, without running any getter: for messages about errors.
  const kindOf = value => {
    if (value === null) return 'null';
    if (apply(weakGet, skillPath, [typeof value === 'function' ? value : {}]) !== undefined) return 'skill';
    if (typeof value !== 'object') return typeof value;
    if (value instanceof Promise) return 'promise';
    if (isArray(value)) return 'array';
    return isError(value) ? 'error' : 'object';
  };
  const named = (value, key) => {
    for (let at = Object(value), depth = 0; at !== null && depth < 10; at = getPrototypeOf(at), depth++) {
      const found = getOwnPropertyDescriptor(at, key);
      if (found !== undefined) return found;
    }
    return { __proto__: null, value: undefined };
  };
  const NAMES = 300;
  const namesOf = value => {
    const names = [];
    for (let at = Object(value), depth = 0; at !== null && depth < 4; at = getPrototypeOf(at), depth++) {
      if (at === Object.prototype && depth > 0) break;
      const own = getOwnPropertyNames(at);
      for (let i = 0; i < own.length && names.length < NAMES; i++) names[names.length] = own[i];
    }
    return names;
  };
  const probe = text => {
    const keys = parse(text);
    let value = globalThis, kinds = [], names = namesOf(globalThis);
    for (let i = 0; i < keys.length; i++) {
      const found = named(value, keys[i]);
      if (found.get !== undefined) break;
      value = found.value;
      const kind = kindOf(value);
      kinds[i] = kind;
      if (kind === 'skill' || value === null || value === undefined) break;
      if (i + 1 < keys.length) names = namesOf(value);
    }
    return stringify({ __proto__: null, kinds, names });
  };

  return {
    probe,
    // What the other globals are made of.
    inspect, textual: show.textual, quietly, print: text => host.print(text), random: () => host.random(),
    // Before a script: the names that it may not have lost, whatever the one before it did.
    begin(names, ctx) {
      for (let i = 0; i < names.length; i++) define(names[i], member(names[i]));
      define('ctx', ctx ?? {});
      origin = 'computed';
    },
    // What a script's last expression gave: the result of a call, or something computed.
    result(value) {
      const id = value !== null && typeof value === 'object' ? apply(weakGet, madeBy, [value]) : undefined;
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
    waiting: () => openCalls,
    timers: () => running,
    cancel: () => {
      const n = running - quiet;
      timers = create(null);
      running = quiet = 0;
      for (const id in waiting) if (waiting[id].path === '$timer') delete waiting[id];
      openTimers = 0;
      return n;
    },
    ended(value) {
      const shown = value === undefined ? null : inspect(value);
      return stringify({ __proto__: null, value: shown, origin });
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
      return (async () => apply(value, owner, args))();
    },
    json: value => stringify(value) ?? 'null',
  };
})
