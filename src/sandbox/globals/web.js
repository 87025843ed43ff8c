// Globals that come from the web rather than the language, as Node has them; evaluated when a script first needs one.
// `native` holds the engine's own: what parses addresses and decodes text.
((host, native) => {
  'use strict';
  const tag = (kind, name) => Object.defineProperty(kind.prototype, Symbol.toStringTag, { value: name, configurable: true });
  const visible = (kind, names) => { for (const name of names) Object.defineProperty(kind.prototype, name, { enumerable: true }); };
  const need = (args, count, what) => { if (args.length < count) throw new TypeError(`${what} needs ${count} argument${count === 1 ? '' : 's'}`); };

  const CODES = { IndexSizeError: 1, NotFoundError: 8, NotSupportedError: 9, InvalidStateError: 11, SyntaxError: 12, InvalidAccessError: 15, InvalidCharacterError: 5, TypeMismatchError: 17, NetworkError: 19, AbortError: 20, QuotaExceededError: 22, TimeoutError: 23, DataCloneError: 25 };
  class DOMException extends Error {
    #name;
    constructor(message = '', options = 'Error') {
      super(message);
      this.#name = String(typeof options === 'object' && options !== null ? options.name ?? 'Error' : options);
      if (typeof options === 'object' && options !== null && 'cause' in options) this.cause = options.cause;
    }
    get name() { return this.#name; }
    get code() { return CODES[this.#name] ?? 0; }
  }
  tag(DOMException, 'DOMException');

  // --- addresses -------------------------------------------------------------------------------------------------------

  const encode = text => encodeURIComponent(text.toWellFormed()).replace(/[!'()~]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`).replaceAll('%20', '+');
  // Percent signs that introduce nothing stay; what is no UTF-8 becomes the replacement character.
  const decode = text => {
    text = text.replaceAll('+', ' ');
    return text.replace(/(%[0-9a-f]{2})+/gi, run => {
      const bytes = new Uint8Array(run.length / 3);
      for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(run.slice(3 * i + 1, 3 * i + 3), 16);
      return new native.TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    });
  };
  const parsePairs = text => text.split('&').filter(part => part !== '').map(part => {
    const at = part.indexOf('=');
    return at < 0 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
  });
  let setOwner, refill;
  class URLSearchParams {
    #pairs = []; #owner;
    static {
      setOwner = (params, owner) => { params.#owner = owner; };
      refill = (params, search) => { params.#pairs = parsePairs(search.replace(/^\?/, '')); };
    }
    constructor(init = undefined) {
      if (init === undefined || init === null) return;
      if (typeof init !== 'object' && typeof init !== 'function') { this.#pairs = parsePairs(String(init).replace(/^\?/, '').toWellFormed()); return; }
      if (init[Symbol.iterator] !== undefined && init[Symbol.iterator] !== null) {
        for (const pair of init) {
          if (pair === null || typeof pair !== 'object' && typeof pair !== 'function' || typeof pair[Symbol.iterator] !== 'function') throw new TypeError('Each query pair must be an iterable [name, value] tuple');
          const both = [...pair];
          if (both.length !== 2) throw new TypeError('Each query pair must be an iterable [name, value] tuple');
          this.#pairs.push([String(both[0]).toWellFormed(), String(both[1]).toWellFormed()]);
        }
      } else for (const key of Object.keys(init)) this.#pairs.push([key.toWellFormed(), String(init[key]).toWellFormed()]);
    }
    #changed() { this.#owner?.(this.toString()); }
    get size() { return this.#pairs.length; }
    append(name, value) { need(arguments, 2, 'append'); this.#pairs.push([String(name).toWellFormed(), String(value).toWellFormed()]); this.#changed(); }
    delete(name, value) {
      need(arguments, 1, 'delete');
      this.#pairs = this.#pairs.filter(pair => pair[0] !== String(name) || value !== undefined && pair[1] !== String(value));
      this.#changed();
    }
    get(name) { need(arguments, 1, 'get'); const found = this.#pairs.find(pair => pair[0] === String(name)); return found === undefined ? null : found[1]; }
    getAll(name) { need(arguments, 1, 'getAll'); return this.#pairs.filter(pair => pair[0] === String(name)).map(pair => pair[1]); }
    has(name, value) { need(arguments, 1, 'has'); return this.#pairs.some(pair => pair[0] === String(name) && (value === undefined || pair[1] === String(value))); }
    set(name, value) {
      need(arguments, 2, 'set');
      const key = String(name).toWellFormed(), text = String(value).toWellFormed(), at = this.#pairs.findIndex(pair => pair[0] === key);
      if (at < 0) this.#pairs.push([key, text]);
      else { this.#pairs[at][1] = text; this.#pairs = this.#pairs.filter((pair, i) => i <= at || pair[0] !== key); }
      this.#changed();
    }
    sort() { this.#pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)); this.#changed(); }
    forEach(action, self) {
      if (typeof action !== 'function') throw new TypeError('forEach needs a function');
      for (const [name, value] of this) action.call(self, value, name, this);
    }
    *entries() { for (let i = 0; i < this.#pairs.length; i++) yield [...this.#pairs[i]]; }
    *keys() { for (let i = 0; i < this.#pairs.length; i++) yield this.#pairs[i][0]; }
    *values() { for (let i = 0; i < this.#pairs.length; i++) yield this.#pairs[i][1]; }
    toString() { return this.#pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&'); }
  }
  Object.defineProperty(URLSearchParams.prototype, Symbol.iterator, { value: URLSearchParams.prototype.entries, writable: true, configurable: true });
  tag(URLSearchParams, 'URLSearchParams');

  const PARTS = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];
  const parseURL = (url, base) => {
    try { return base === undefined ? new native.URL(String(url)) : new native.URL(String(url), String(base)); } catch (error) {
      const wrong = new TypeError(`Invalid URL: ${String(url).slice(0, 200)}`);
      wrong.code = 'ERR_INVALID_URL';
      wrong.input = String(url);
      throw wrong;
    }
  };
  class URL {
    #url; #params;
    constructor(url, base = undefined) { need(arguments, 1, 'URL'); this.#url = parseURL(url, base); }
    static canParse(url, base = undefined) { need(arguments, 1, 'canParse'); try { parseURL(url, base); return true; } catch { return false; } }
    get searchParams() {
      if (this.#params === undefined) {
        this.#params = new URLSearchParams(this.#url.search);
        setOwner(this.#params, text => { this.#url.search = text; });
      }
      return this.#params;
    }
    toString() { return this.#url.href; }
    toJSON() { return this.#url.href; }
    static {
      for (const name of PARTS) {
        Object.defineProperty(URL.prototype, name, {
          get() { return this.#url[name]; },
          set: name === 'origin' ? undefined : function (value) {
            if (name === 'href') this.#url = parseURL(value);
            else this.#url[name] = String(value);
            if (this.#params !== undefined && (name === 'href' || name === 'search')) refill(this.#params, this.#url.search);
          },
          enumerable: true, configurable: true,
        });
      }
    }
  }
  tag(URL, 'URL');

  // --- events and cancelling ---------------------------------------------------------------------------------------------

  let dispatching;
  class Event {
    #type; #cancelable; #bubbles; #prevented = false; #stopped = false; #target = null;
    static { dispatching = (event, target) => { event.#target = target; return { isStopped: () => event.#stopped, isPrevented: () => event.#prevented }; }; }
    constructor(type, options = {}) { need(arguments, 1, 'Event'); this.#type = String(type); this.#cancelable = Boolean(options?.cancelable); this.#bubbles = Boolean(options?.bubbles); }
    get type() { return this.#type; }
    get target() { return this.#target; }
    get currentTarget() { return this.#target; }
    get cancelable() { return this.#cancelable; }
    get bubbles() { return this.#bubbles; }
    get defaultPrevented() { return this.#prevented; }
    preventDefault() { if (this.#cancelable) this.#prevented = true; }
    stopPropagation() {}
    stopImmediatePropagation() { this.#stopped = true; }
  }
  tag(Event, 'Event');
  class CustomEvent extends Event {
    #detail;
    constructor(type, options = {}) { super(type, options); this.#detail = options?.detail ?? null; }
    get detail() { return this.#detail; }
  }
  tag(CustomEvent, 'CustomEvent');
  class EventTarget {
    #listeners = new Map();
    addEventListener(type, listener, options = {}) {
      need(arguments, 2, 'addEventListener');
      if (listener === null || listener === undefined) return;
      const list = this.#listeners.get(String(type)) ?? [], given = typeof options === 'object' && options !== null ? options : {};
      if (given.signal?.aborted || list.some(known => known.listener === listener)) return;
      list.push({ listener, once: Boolean(given.once) });
      this.#listeners.set(String(type), list);
      given.signal?.addEventListener('abort', () => this.removeEventListener(type, listener));
    }
    removeEventListener(type, listener) {
      const list = this.#listeners.get(String(type));
      if (list !== undefined) this.#listeners.set(String(type), list.filter(known => known.listener !== listener));
    }
    dispatchEvent(event) {
      if (!(event instanceof Event)) throw new TypeError('dispatchEvent needs an Event');
      const state = dispatching(event, this);
      for (const known of [...this.#listeners.get(event.type) ?? []]) {
        if (!this.#listeners.get(event.type).includes(known)) continue;
        if (known.once) this.removeEventListener(event.type, known.listener);
        // What a listener throws stops no other; it is an error of the script, as in Node.
        try {
          if (typeof known.listener === 'function') known.listener.call(this, event);
          else known.listener.handleEvent(event);
        } catch (error) { Promise.reject(error); }
        if (state.isStopped()) break;
      }
      return !state.isPrevented();
    }
  }
  tag(EventTarget, 'EventTarget');

  const KEY = Symbol();
  let abort;
  class AbortSignal extends EventTarget {
    #reason; #aborted = false;
    onabort = null;
    static {
      abort = (signal, reason) => {
        if (signal.#aborted) return;
        signal.#aborted = true;
        signal.#reason = reason === undefined ? new DOMException('This operation was aborted', 'AbortError') : reason;
        const event = new Event('abort');
        if (typeof signal.onabort === 'function') signal.onabort(event);
        signal.dispatchEvent(event);
      };
    }
    constructor(key) { if (key !== KEY) throw new TypeError('Illegal constructor'); super(); }
    get aborted() { return this.#aborted; }
    get reason() { return this.#reason; }
    throwIfAborted() { if (this.#aborted) throw this.#reason; }
    static abort(reason) { const signal = new AbortSignal(KEY); abort(signal, reason); return signal; }
    static timeout(ms) {
      const wait = Number(ms);
      if (!(wait >= 0 && wait <= 4294967295)) throw new RangeError('The value of "delay" is out of range. It must be >= 0 && <= 4294967295');
      const signal = new AbortSignal(KEY);
      native.quietly(() => abort(signal, new DOMException('The operation was aborted due to timeout', 'TimeoutError')), wait);
      return signal;
    }
    static any(signals) {
      const signal = new AbortSignal(KEY), all = [...signals];
      const done = all.find(one => one.aborted);
      if (done !== undefined) abort(signal, done.reason);
      else for (const one of all) one.addEventListener('abort', () => abort(signal, one.reason));
      return signal;
    }
  }
  tag(AbortSignal, 'AbortSignal');
  class AbortController {
    #signal = new AbortSignal(KEY);
    get signal() { return this.#signal; }
    abort(reason) { abort(this.#signal, reason); }
  }
  tag(AbortController, 'AbortController');

  // --- copies ----------------------------------------------------------------------------------------------------------

  const ERRORS = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
  const kindOf = value => Object.prototype.toString.call(value).slice(8, -1);
  const brand = (value, ask) => { try { ask.call(value); return true; } catch { return false; } };
  const mapSize = Object.getOwnPropertyDescriptor(Map.prototype, 'size').get, setSize = Object.getOwnPropertyDescriptor(Set.prototype, 'size').get;
  const bufferSize = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength').get;
  const DEEPEST = 200;
  function structuredClone(value, options = undefined) {
    need(arguments, 1, 'structuredClone');
    const seen = new Map(), moved = new Set(options?.transfer ?? []);
    const refuse = what => { throw new DOMException(`${what} could not be cloned.`, 'DataCloneError'); };
    const copy = (value, depth) => {
      if (typeof value === 'function') refuse('a function');
      if (typeof value === 'symbol') refuse(String(value));
      if (typeof value !== 'object' || value === null) return value;
      if (seen.has(value)) return seen.get(value);
      if (depth > DEEPEST) refuse(`something nested deeper than ${DEEPEST}`);
      if (native.isProxy(value)) refuse('#<Object>');
      const keep = made => { seen.set(value, made); return made; };
      if (brand(value, Date.prototype.getTime)) return keep(new Date(Date.prototype.getTime.call(value)));
      if (brand(value, mapSize)) { const made = keep(new Map()); for (const [k, v] of [...Map.prototype.entries.call(value)]) made.set(copy(k, depth + 1), copy(v, depth + 1)); return made; }
      if (brand(value, setSize)) { const made = keep(new Set()); for (const v of [...Set.prototype.values.call(value)]) made.add(copy(v, depth + 1)); return made; }
      if (brand(value, bufferSize)) { if (moved.has(value)) { moved.delete(value); return keep(value.transfer()); } return keep(ArrayBuffer.prototype.slice.call(value, 0)); }
      if (ArrayBuffer.isView(value)) { const buffer = copy(value.buffer, depth + 1), Kind = kindOf(value) === 'DataView' ? DataView : globalThis[kindOf(value)]; return keep(new Kind(buffer, value.byteOffset, Kind === DataView ? value.byteLength : value.length)); }
      const kind = kindOf(value);
      if (kind === 'RegExp') return keep(new RegExp(value.source, value.flags));
      for (const Kind of [Number, String, Boolean, BigInt]) if (brand(value, Kind.prototype.valueOf)) return keep(Object(Kind.prototype.valueOf.call(value)));
      if (brand(value, Symbol.prototype.valueOf)) refuse('Object(Symbol)');
      if (value instanceof Error) {
        const made = keep(new (ERRORS[value.name] ?? Error)(String(value.message)));
        if (typeof value.stack === 'string') Object.defineProperty(made, 'stack', { value: value.stack, writable: true, configurable: true });
        if ('cause' in value) Object.defineProperty(made, 'cause', { value: copy(value.cause, depth + 1), writable: true, configurable: true });
        return made;
      }
      if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef || kind === 'Generator') refuse(`#<${kind}>`);
      const made = keep(Array.isArray(value) ? new Array(value.length) : {});
      for (const key of Object.keys(value)) made[key] = copy(value[key], depth + 1);
      return made;
    };
    return copy(value, 0);
  }

  // --- text and bytes --------------------------------------------------------------------------------------------------

  const wrongCharacter = () => new DOMException('Invalid character', 'InvalidCharacterError');
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  function atob(text) {
    need(arguments, 1, 'atob');
    let plain = String(text).replace(/[\t\n\f\r ]/g, '');
    if (plain.length % 4 === 0) plain = plain.replace(/==?$/, '');
    if (plain.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(plain)) throw new DOMException('The string to be decoded is not correctly encoded.', 'InvalidCharacterError');
    return native.atob(plain.padEnd(Math.ceil(plain.length / 4) * 4, '='));
  }
  function btoa(text) {
    need(arguments, 1, 'btoa');
    const plain = String(text);
    if (/[^\0-\xff]/.test(plain)) throw wrongCharacter();
    return native.btoa(plain);
  }
  const LABELS = { 'utf-8': 'utf-8', utf8: 'utf-8', 'unicode-1-1-utf-8': 'utf-8', 'utf-16': 'utf-16le', 'utf-16le': 'utf-16le', 'utf-16be': 'utf-16be', ascii: 'windows-1252', latin1: 'windows-1252', 'iso-8859-1': 'windows-1252' };
  class TextDecoder {
    #encoding; #fatal; #keepsMark; #left = []; #begun = false;
    constructor(label = 'utf-8', options = {}) {
      const encoding = LABELS[String(label).trim().toLowerCase()];
      if (encoding === undefined || encoding === 'windows-1252') throw new RangeError(`The "${String(label)}" encoding is not supported here; there are utf-8, utf-16le and utf-16be`);
      this.#encoding = encoding;
      this.#fatal = Boolean(options?.fatal);
      this.#keepsMark = Boolean(options?.ignoreBOM);
    }
    get encoding() { return this.#encoding; }
    get fatal() { return this.#fatal; }
    get ignoreBOM() { return this.#keepsMark; }
    decode(input = undefined, options = {}) {
      let bytes;
      if (input === undefined) bytes = new Uint8Array();
      else if (ArrayBuffer.isView(input)) bytes = new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
      else if (brand(input, bufferSize)) bytes = new Uint8Array(input);
      else throw new TypeError('The "list" argument must be an instance of ArrayBuffer or ArrayBufferView.');
      if (this.#left.length > 0) { const all = new Uint8Array(this.#left.length + bytes.length); all.set(this.#left); all.set(bytes, this.#left.length); bytes = all; this.#left = []; }
      if (options?.stream) {
        const cut = this.#encoding === 'utf-8' ? unfinished(bytes) : bytes.length % 2;
        this.#left = [...bytes.subarray(bytes.length - cut)];
        bytes = bytes.subarray(0, bytes.length - cut);
      }
      const isFirst = !this.#begun;
      this.#begun = Boolean(options?.stream);
      let text = new native.TextDecoder(this.#encoding, { ignoreBOM: true }).decode(bytes);
      if (this.#fatal && this.#encoding === 'utf-8' && text.includes('\ufffd') && !isExact(bytes, text)) throw new TypeError('The encoded data was not valid for encoding utf-8');
      if (!this.#keepsMark && isFirst && text.startsWith('\ufeff')) text = text.slice(1);
      return text;
    }
  }
  tag(TextDecoder, 'TextDecoder');
  const isExact = (bytes, text) => {
    const again = new native.TextEncoder().encode(text);
    return again.length === bytes.length && again.every((byte, i) => byte === bytes[i]);
  };
  // Bytes at the end that begin a character without ending it.
  const unfinished = bytes => {
    for (let back = 1; back <= 3 && back <= bytes.length; back++) {
      const byte = bytes[bytes.length - back];
      if (byte < 0x80) return 0;
      if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
    }
    return 0;
  };

  class TextEncoder {
    get encoding() { return 'utf-8'; }
    encode(text = '') { return new native.TextEncoder().encode(String(text).toWellFormed()); }
    encodeInto(text, into) {
      need(arguments, 2, 'encodeInto');
      if (kindOf(into) !== 'Uint8Array') throw new TypeError('The "dest" argument must be an instance of Uint8Array.');
      let read = 0, written = 0;
      for (const char of String(text).toWellFormed()) {
        const bytes = new native.TextEncoder().encode(char);
        if (written + bytes.length > into.length) break;
        into.set(bytes, written);
        written += bytes.length;
        read += char.length;
      }
      return { read, written };
    }
  }
  tag(TextEncoder, 'TextEncoder');

  class Crypto {
    getRandomValues(array) {
      need(arguments, 1, 'getRandomValues');
      const kind = ArrayBuffer.isView(array) ? kindOf(array) : '';
      if (!/^(Big)?(Int|Uint)/.test(kind)) throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
      if (array.byteLength > 65536) throw new DOMException(`The requested length exceeds 65,536 bytes: ${array.byteLength}`, 'QuotaExceededError');
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(native.random() * 256);
      return array;
    }
    randomUUID() {
      const hex = [...this.getRandomValues(new Uint8Array(16))].map((byte, i) => (i === 6 ? byte & 15 | 64 : i === 8 ? byte & 63 | 128 : byte).toString(16).padStart(2, '0')).join('');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    }
  }
  tag(Crypto, 'Crypto');
  visible(URLSearchParams, ['append', 'delete', 'get', 'getAll', 'has', 'set', 'sort', 'forEach', 'entries', 'keys', 'values', 'size', 'toString']);
  return { DOMException, URL, URLSearchParams, Event, CustomEvent, EventTarget, AbortSignal, AbortController, structuredClone, atob, btoa, TextDecoder, TextEncoder, crypto: new Crypto() };
})
