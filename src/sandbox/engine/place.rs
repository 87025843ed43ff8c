//! What scripts ask about places: zones, languages, and the code of globals that load when they are first used.

use std::cell::RefCell;
use std::collections::BTreeMap;

use boa_engine::object::JsObject;
use boa_engine::object::builtins::JsProxy;
use boa_engine::{Context, JsNativeError, JsResult, JsString, JsValue, NativeFunction, Source};
use unicode_segmentation::UnicodeSegmentation as _;

use super::natives::{Native, json, text_of};
use crate::time::{Timestamp, Zone};

/// Evaluated in each child.
const LAZY: &str = include_str!("../globals/lazy.js");
/// Evaluated on first use.
const PARTS: &[(&str, &str)] = &[
    ("intl", include_str!("../globals/intl.js")),
    ("numbers", include_str!("../globals/numbers.js")),
    ("text", include_str!("../globals/text.js")),
    ("web", include_str!("../globals/web.js")),
    ("console", include_str!("../globals/console.js")),
];
const LOCALES: &[(&str, &str)] = &[
    ("en-US", include_str!("../globals/locales/en-US.json")),
    ("en-GB", include_str!("../globals/locales/en-GB.json")),
    ("en-CA", include_str!("../globals/locales/en-CA.json")),
    ("zh-CN", include_str!("../globals/locales/zh-CN.json")),
    ("zh-TW", include_str!("../globals/locales/zh-TW.json")),
    ("ja-JP", include_str!("../globals/locales/ja-JP.json")),
    ("sv-SE", include_str!("../globals/locales/sv-SE.json")),
];
/// Characters in the order of a language.
const ORDERS: &[(&str, &str)] =
    &[("pinyin", include_str!("../globals/pinyin.txt")), ("signs", include_str!("../globals/signs.txt"))];
/// Zones remembered besides the room's own; a script that goes through all of them looks them up again.
const ZONES: usize = 32;

thread_local! {
    static PLACE: RefCell<Place> = RefCell::new(Place { zone: Zone::utc(), others: BTreeMap::new() });
}

struct Place {
    zone: Zone,
    others: BTreeMap<String, Zone>,
}

/// From now on local time is that of this zone; a name that is none is universal time.
pub(super) fn set_zone(name: &str) {
    PLACE.with_borrow_mut(|place| {
        if place.zone.name() != name {
            place.zone = Zone::named(name).unwrap_or_else(|_| Zone::utc());
        }
    });
}

/// Seconds east of Greenwich at a moment, here.
pub(super) fn offset(at: Timestamp) -> i32 {
    PLACE.with_borrow(|place| place.zone.offset(at).0)
}

/// Puts the globals of this module into a new context.
pub(super) fn install(prelude: &JsObject, context: &mut Context) -> JsResult<()> {
    let host = JsObject::with_object_proto(context.intrinsics());
    let natives: [(&str, Native); 10] = [
        ("load", load),
        ("locale", |_, args, _| Ok(embedded(LOCALES, args).map_or(JsValue::undefined(), string))),
        ("order", |_, args, _| Ok(embedded(ORDERS, args).map_or(JsValue::undefined(), string))),
        ("zone", |_, _, _| Ok(PLACE.with_borrow(|place| string(place.zone.name())))),
        ("named", named),
        ("offset", |_, args, _| Ok(zoned(args, |zone, at| JsValue::from(zone.offset(at).0)))),
        ("isSummer", |_, args, _| Ok(zoned(args, |zone, at| JsValue::from(zone.offset(at).1)))),
        ("moment", moment),
        ("graphemes", graphemes),
        ("isProxy", |_, args, _| {
            let object = args.first().and_then(JsValue::as_object);
            Ok(JsValue::from(object.is_some_and(|object| JsProxy::from_object(object.clone()).is_ok())))
        }),
    ];
    for (name, native) in natives {
        let function = NativeFunction::from_fn_ptr(native).to_js_function(context.realm());
        host.create_data_property_or_throw(JsString::from(name), function, context)?;
    }
    let make = context.eval(Source::from_bytes(LAZY))?;
    let make = make.as_callable().ok_or_else(|| JsNativeError::typ().with_message("the globals gave nothing"))?;
    make.call(&JsValue::undefined(), &[host.into(), prelude.clone().into()], context).map(drop)
}

fn string(text: &str) -> JsValue {
    JsValue::from(JsString::from(text))
}

fn embedded(all: &[(&str, &'static str)], args: &[JsValue]) -> Option<&'static str> {
    let name = args.first().and_then(text_of)?;
    all.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

fn load(_: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    match embedded(PARTS, args) {
        Some(code) => context.eval(Source::from_bytes(code)),
        None => Err(JsNativeError::typ().with_message("there is no such part").into()),
    }
}

/// A zone by name, whatever its case: its own name.
fn named(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let name = args.first().and_then(text_of).unwrap_or_default();
    // Etc/Unknown is what the database calls no zone at all.
    let zone = Zone::named(&name).ok().filter(|zone| zone.name() != "Etc/Unknown");
    Ok(zone.map_or(JsValue::undefined(), |zone| string(zone.name())))
}

/// Asks the zone named by the second argument, or the room's, about the moment of the first.
fn zoned(args: &[JsValue], ask: impl FnOnce(&Zone, Timestamp) -> JsValue) -> JsValue {
    let at = Timestamp(millis(args));
    let name = args.get(1).and_then(text_of);
    PLACE.with_borrow_mut(|place| match name {
        Some(name) if name != place.zone.name() => {
            if !place.others.contains_key(&name) && place.others.len() >= ZONES {
                place.others.clear();
            }
            let zone = place.others.entry(name).or_insert_with_key(|n| Zone::named(n).unwrap_or_else(|_| Zone::utc()));
            ask(zone, at)
        }
        _ => ask(&place.zone, at),
    })
}

/// The moment of a local time, given as the milliseconds that it would be at Greenwich; NaN stays NaN.
fn moment(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let local = args.first().and_then(JsValue::as_number).unwrap_or(f64::NAN);
    if !local.is_finite() {
        return Ok(JsValue::from(f64::NAN));
    }
    let at = PLACE.with_borrow(|place| place.zone.moment_of_local(millis(args)));
    #[allow(clippy::cast_precision_loss)] // milliseconds of JavaScript's dates fit
    Ok(JsValue::from(at.0 as f64))
}

#[allow(clippy::cast_possible_truncation)] // a float's cast saturates, and dates are whole milliseconds
fn millis(args: &[JsValue]) -> i64 {
    args.first().and_then(JsValue::as_number).map_or(0, |at| at.floor() as i64)
}

/// A text's characters as a person counts them, as a JSON list.
fn graphemes(_: &JsValue, args: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let text = args.first().and_then(text_of).unwrap_or_default();
    Ok(json(&text.graphemes(true).collect::<Vec<_>>()))
}
