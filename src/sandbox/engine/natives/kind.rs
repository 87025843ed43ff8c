//! What a value is beneath its prototypes and proxies, which no script can fake.

use boa_engine::builtins::error::Error;
use boa_engine::object::JsObject;
use boa_engine::object::builtins::{
    JsArrayBuffer, JsDataView, JsDate, JsMap, JsPromise, JsProxy, JsRegExp, JsSet, JsTypedArray, JsWeakMap, JsWeakSet,
};
use boa_engine::{Context, JsBigInt, JsResult, JsString, JsSymbol, JsValue};

/// `kind(value)`: one word.
pub(super) fn native_kind(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let kind = args.first().and_then(JsValue::as_object).map_or("value", |object| kind(&object));
    Ok(JsValue::from(JsString::from(kind)))
}

fn kind(object: &JsObject) -> &'static str {
    // The commonest first.
    if object.is_ordinary() || object.is_array() {
        return "other";
    }
    let of = || object.clone();
    let rows: [(&'static str, bool); 5] = [
        ("error", object.is::<Error>()),
        ("number", object.is::<f64>()),
        ("string", object.is::<JsString>()),
        ("boolean", object.is::<bool>()),
        ("symbol", object.is::<JsSymbol>()),
    ];
    if let Some((kind, _)) = rows.iter().find(|(_, is)| *is) {
        return kind;
    }
    if JsProxy::from_object(of()).is_ok() {
        "proxy"
    } else if JsPromise::from_object(of()).is_ok() {
        "promise"
    } else if JsDate::from_object(of()).is_ok() {
        "date"
    } else if JsMap::from_object(of()).is_ok() {
        "map"
    } else if JsSet::from_object(of()).is_ok() {
        "set"
    } else if JsRegExp::from_object(of()).is_ok() {
        "regexp"
    } else if JsTypedArray::from_object(of()).is_ok() {
        "typed"
    } else if JsArrayBuffer::from_object(of()).is_ok() {
        "buffer"
    } else if JsDataView::from_object(of()).is_ok() {
        "view"
    } else if object.is::<JsBigInt>() {
        "bigint"
    } else if JsWeakMap::from_object(of()).is_ok() || JsWeakSet::from_object(of()).is_ok() {
        "weak"
    } else {
        "other"
    }
}
