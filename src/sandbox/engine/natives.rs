//! What the prelude reaches of the process: calls, output, chance. The natives hold nothing; what they need is in [`LINK`].

mod kind;

use std::cell::RefCell;
use std::collections::BTreeMap;

use boa_engine::object::JsObject;
use boa_engine::property::Attribute;
use boa_engine::{Context, JsResult, JsString, JsValue, NativeFunction, Source, js_string};
use serde_json::Value;

use super::output::Output;
use crate::call::Call;
use crate::clock::Dice;
use crate::sandbox::FetchRequest;
use crate::sandbox::wire::{self, FromChild};

pub(super) type Native = fn(&JsValue, &[JsValue], &mut Context) -> JsResult<JsValue>;

/// Bytes that the arguments of one call may have as JSON.
const LARGEST_ARGS: usize = 256 * 1024;
/// Bytes that a path may have.
const LONGEST_PATH: usize = 400;

const SHOW: &str = include_str!("../show.js");
const PRELUDE: &str = include_str!("../prelude.js");

thread_local! {
    /// What native functions reach: they can hold nothing of their own.
    pub(super) static LINK: RefCell<Link> = RefCell::new(Link::default());
}

#[derive(Default)]
pub(super) struct Link {
    pub(super) printed: Output,
    pub(super) dice: Option<Dice>,
    pub(super) begun: i64,
    /// The invocation of skill code that runs now, for its fetches.
    pub(super) invocation: u32,
    /// Fetches of skill code that wait, by number: the invocation.
    pub(super) fetching: BTreeMap<u32, u32>,
    pub(super) is_serving: bool,
    pub(super) is_broken: bool,
}

pub(super) fn prelude(context: &mut Context) -> JsResult<JsObject> {
    boa_runtime::register_extensions(
        (
            boa_runtime::extensions::Base64Extension,
            boa_runtime::extensions::EncodingExtension,
            boa_runtime::extensions::StructuredCloneExtension,
            boa_runtime::extensions::UrlExtension,
        ),
        None,
        context,
    )?;
    let host = JsObject::with_object_proto(context.intrinsics());
    let natives: [(&str, Native); 4] =
        [("call", native_call), ("print", native_print), ("random", native_random), ("begun", native_begun)];
    for (name, native) in natives {
        let function = NativeFunction::from_fn_ptr(native).to_js_function(context.realm());
        host.create_data_property_or_throw(JsString::from(name), function, context)?;
    }
    let kind = NativeFunction::from_fn_ptr(kind::native_kind).to_js_function(context.realm());
    let show = context.eval(Source::from_bytes(SHOW))?;
    let show = match show.as_callable() {
        Some(show) => show.call(&JsValue::undefined(), &[kind.into()], context)?,
        None => JsValue::undefined(),
    };
    host.create_data_property_or_throw(js_string!("show"), show, context)?;
    let make = context.eval(Source::from_bytes(PRELUDE))?;
    let made = match make.as_callable() {
        Some(make) => make.call(&JsValue::undefined(), &[host.into()], context)?,
        None => JsValue::undefined(),
    };
    let none = boa_engine::JsNativeError::typ().with_message("the prelude gave nothing");
    let object = made.as_object().ok_or(none)?;
    // Code outside Boa's own realm functions sees only what the prelude defined.
    context.register_global_property(js_string!("globalThis"), context.global_object(), Attribute::all())?;
    Ok(object)
}

fn native_call(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let id = args.first().and_then(JsValue::as_number).unwrap_or(0.0);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counted from 1 by the prelude
    let id = id as u32;
    let path = args.get(1).and_then(text_of).unwrap_or_default();
    let text = args.get(2).and_then(text_of).unwrap_or_default();
    if text.len() > LARGEST_ARGS || path.len() > LONGEST_PATH {
        let message = format!("{} KB of arguments; a call takes at most {} KB", text.len() / 1024, LARGEST_ARGS / 1024);
        return Err(boa_engine::JsNativeError::range().with_message(message).into());
    }
    // The reader refuses what is nested deeper than 128, which no method takes.
    let values = serde_json::from_str::<Vec<Value>>(&text)
        .map_err(|_| boa_engine::JsNativeError::typ().with_message("they are nested too deep, or no JSON"))?;
    let frame = LINK.with_borrow_mut(|link| {
        if link.is_serving && path == "$fetch" {
            let request = values.first().cloned().and_then(|v| serde_json::from_value::<FetchRequest>(v).ok());
            let request = request.unwrap_or(FetchRequest {
                method: String::new(),
                url: String::new(),
                headers: Vec::new(),
                body: None,
            });
            link.fetching.insert(id, link.invocation);
            return FromChild::Fetching { id, invocation: link.invocation, request };
        }
        FromChild::Called(Call { id, path, args: values })
    });
    wire::say(&frame)
        .map_err(|e| boa_engine::JsNativeError::range().with_message(format!("the call does not fit: {e}")))?;
    Ok(JsValue::undefined())
}

fn native_print(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let text = args.first().and_then(text_of).unwrap_or_default();
    ended_note(&text);
    Ok(JsValue::undefined())
}

fn native_random(_: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    // 53 bits, as a double holds them.
    let bits = LINK.with_borrow_mut(|link| link.dice.as_mut().map_or(0, Dice::seed)) >> 11;
    #[allow(clippy::cast_precision_loss)] // 53 bits fit
    Ok(JsValue::from(bits as f64 / (1_u64 << 53) as f64))
}

fn native_begun(_: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    #[allow(clippy::cast_precision_loss)] // milliseconds of our age fit
    Ok(JsValue::from(LINK.with_borrow(|link| link.begun) as f64))
}

/// A line of a script's output, or a remark of the sandbox in it.
pub(super) fn ended_note(text: &str) {
    let line = format!("{text}\n");
    LINK.with_borrow_mut(|link| link.printed.push(&line));
}

/// A value as JSON text.
pub(super) fn json(value: &impl serde::Serialize) -> JsValue {
    JsValue::from(JsString::from(serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())))
}

/// A string of the script as text; a lone half of a pair becomes the replacement character.
pub(super) fn text_of(value: &JsValue) -> Option<String> {
    value.as_string().map(|text| text.to_std_string_lossy())
}
