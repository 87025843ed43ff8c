//! Sorting that survives any comparator: the engine's own dies of one that contradicts itself (`() => Math.random() - 0.5`).
//!
//! A plain merge sort asks each question once and believes the answer, so it ends whatever it is told. A later element
//! is asked about first, as other engines do: a comparator that gives `true` or `false` leaves the order as it was.

use std::cmp::Ordering;

use boa_engine::object::builtins::{JsArray, JsFunction};
use boa_engine::object::{FunctionObjectBuilder, JsObject};
use boa_engine::property::PropertyDescriptor;
use boa_engine::{Context, JsNativeError, JsResult, JsString, JsValue, NativeFunction, js_string};

/// The longest array that there can be.
const LONGEST: u64 = u32::MAX as u64;

/// Puts the sorts of arrays and typed arrays in the place of the engine's.
pub(super) fn install(context: &mut Context) -> JsResult<()> {
    let arrays = context.intrinsics().constructors().array().prototype();
    put(&arrays, "sort", 1, NativeFunction::from_fn_ptr(sort), context)?;
    put(&arrays, "toSorted", 1, NativeFunction::from_fn_ptr(to_sorted), context)?;
    let typed = context.intrinsics().constructors().typed_array().prototype();
    let theirs = Theirs {
        sort: function(&typed, "sort", context)?,
        to_sorted: function(&typed, "toSorted", context)?,
        at: function(&typed, "at", context)?,
    };
    let sort = NativeFunction::from_copy_closure_with_captures(typed_sort, theirs.clone());
    put(&typed, "sort", 1, sort, context)?;
    let to_sorted = NativeFunction::from_copy_closure_with_captures(typed_to_sorted, theirs);
    put(&typed, "toSorted", 1, to_sorted, context)
}

/// The engine's own methods of typed arrays: right without a comparator, and for telling what is one.
#[derive(Clone, boa_gc::Trace, boa_gc::Finalize)]
struct Theirs {
    sort: JsFunction,
    to_sorted: JsFunction,
    at: JsFunction,
}

fn function(object: &JsObject, name: &str, context: &mut Context) -> JsResult<JsFunction> {
    let value = object.get(JsString::from(name), context)?;
    let function = value.as_object().and_then(|object| JsFunction::from_object(object.clone()));
    function.ok_or_else(|| JsNativeError::typ().with_message(format!("{name} is missing")).into())
}

fn put(object: &JsObject, name: &str, length: usize, native: NativeFunction, context: &mut Context) -> JsResult<()> {
    let name = JsString::from(name);
    let function = FunctionObjectBuilder::new(context.realm(), native)
        .name(name.clone())
        .length(length)
        .constructor(false)
        .build();
    let property = PropertyDescriptor::builder().value(function).writable(true).enumerable(false).configurable(true);
    object.define_property_or_throw(name, property, context).map(drop)
}

fn comparator(args: &[JsValue]) -> JsResult<Option<JsObject>> {
    let Some(given) = args.first().filter(|given| !given.is_undefined()) else { return Ok(None) };
    match given.as_callable() {
        Some(callable) => Ok(Some(callable.clone())),
        None => Err(JsNativeError::typ()
            .with_message("the comparator of a sort is neither a function nor undefined")
            .into()),
    }
}

fn length(object: &JsObject, context: &mut Context) -> JsResult<u64> {
    object.get(js_string!("length"), context)?.to_length(context)
}

fn sort(this: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let compare = comparator(args)?;
    let object = this.to_object(context)?;
    let len = length(&object, context)?;
    let mut items = Vec::new();
    for index in 0..len {
        if object.has_property(index, context)? {
            items.push(object.get(index, context)?);
        }
    }
    let sorted = elements(items, compare.as_ref(), context)?;
    let mut next = 0;
    for item in sorted {
        object.set(next, item, true, context)?;
        next += 1;
    }
    // As many holes as there were, now at the end.
    for index in next..len {
        object.delete_property_or_throw(index, context)?;
    }
    Ok(object.into())
}

fn to_sorted(this: &JsValue, args: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let compare = comparator(args)?;
    let object = this.to_object(context)?;
    let len = length(&object, context)?;
    if len > LONGEST {
        return Err(JsNativeError::range().with_message("the array is too long to be copied").into());
    }
    let mut items = Vec::new();
    for index in 0..len {
        items.push(object.get(index, context)?);
    }
    Ok(JsArray::from_iter(elements(items, compare.as_ref(), context)?, context).into())
}

fn typed_sort(this: &JsValue, args: &[JsValue], theirs: &Theirs, context: &mut Context) -> JsResult<JsValue> {
    let Some(compare) = comparator(args)? else { return theirs.sort.call(this, &[], context) };
    let (object, items) = typed(this, theirs, context)?;
    write(&object, asked(items, &compare, context)?, context)
}

fn typed_to_sorted(this: &JsValue, args: &[JsValue], theirs: &Theirs, context: &mut Context) -> JsResult<JsValue> {
    let Some(compare) = comparator(args)? else { return theirs.to_sorted.call(this, &[], context) };
    let (_, items) = typed(this, theirs, context)?;
    let copy = theirs.to_sorted.call(this, &[], context)?.to_object(context)?;
    write(&copy, asked(items, &compare, context)?, context)
}

/// A typed array's elements, read before anything of the script runs.
fn typed(this: &JsValue, theirs: &Theirs, context: &mut Context) -> JsResult<(JsObject, Vec<JsValue>)> {
    // Throws for what is no typed array, or one whose bytes are gone.
    theirs.at.call(this, &[JsValue::from(0)], context)?;
    let object = this.to_object(context)?;
    let array = boa_engine::object::builtins::JsTypedArray::from_object(object.clone())?;
    let mut items = Vec::new();
    for index in 0..array.length(context)? {
        items.push(object.get(u64::try_from(index).unwrap_or(u64::MAX), context)?);
    }
    Ok((object, items))
}

fn write(object: &JsObject, items: Vec<JsValue>, context: &mut Context) -> JsResult<JsValue> {
    for (index, item) in items.into_iter().enumerate() {
        // The comparator may have taken the bytes away: then there is nothing to write to.
        object.set(u64::try_from(index).unwrap_or(u64::MAX), item, false, context)?;
    }
    Ok(object.clone().into())
}

/// Sorted as elements of an array are: by the comparator or as strings, `undefined` last.
fn elements(items: Vec<JsValue>, compare: Option<&JsObject>, context: &mut Context) -> JsResult<Vec<JsValue>> {
    let total = items.len();
    let defined: Vec<JsValue> = items.into_iter().filter(|item| !item.is_undefined()).collect();
    let mut sorted = match compare {
        Some(compare) => asked(defined, compare, context)?,
        None if defined.len() < 2 => defined,
        None => {
            let mut keyed = Vec::with_capacity(defined.len());
            for item in defined {
                keyed.push((item.to_string(context)?, item));
            }
            keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
            keyed.into_iter().map(|(_, item)| item).collect()
        }
    };
    sorted.resize(total, JsValue::undefined());
    Ok(sorted)
}

fn asked(items: Vec<JsValue>, compare: &JsObject, context: &mut Context) -> JsResult<Vec<JsValue>> {
    merge_sort(items, &mut |a, b| {
        let answer = compare.call(&JsValue::undefined(), &[a.clone(), b.clone()], context)?.to_number(context)?;
        Ok(answer.partial_cmp(&0.0).unwrap_or(Ordering::Equal))
    })
}

/// Stable, `n log n` questions, no question twice, whatever is answered.
fn merge_sort<T: Clone, E>(
    mut items: Vec<T>,
    compare: &mut impl FnMut(&T, &T) -> Result<Ordering, E>,
) -> Result<Vec<T>, E> {
    let mut width = 1;
    while width < items.len() {
        let mut merged = Vec::with_capacity(items.len());
        for pair in items.chunks(2 * width) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            let (mut l, mut r) = (0, 0);
            while let (Some(earlier), Some(later)) = (left.get(l), right.get(r)) {
                if compare(later, earlier)? == Ordering::Less {
                    merged.push(later.clone());
                    r += 1;
                } else {
                    merged.push(earlier.clone());
                    l += 1;
                }
            }
            merged.extend_from_slice(&left[l..]);
            merged.extend_from_slice(&right[r..]);
        }
        items = merged;
        width *= 2;
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(items: &[(u32, u32)]) -> Vec<(u32, u32)> {
        merge_sort(items.to_vec(), &mut |a, b| Ok::<_, ()>(a.0.cmp(&b.0))).unwrap()
    }

    #[test]
    fn it_is_stable_and_agrees_with_the_standard_sort() {
        let mut dice = crate::clock::Dice::seeded(3);
        for length in 0..120 {
            let items: Vec<(u32, u32)> = (0..length).map(|n| (u32::try_from(dice.seed() % 7).unwrap(), n)).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            assert_eq!(sorted(&items), expected);
        }
    }

    #[test]
    fn contradictions_lose_nothing_and_failure_stops_the_questions() {
        let mut dice = crate::clock::Dice::seeded(5);
        let mut mixed = merge_sort((0..1000).collect(), &mut |_, _| {
            Ok::<_, ()>(if dice.seed().is_multiple_of(2) { Ordering::Less } else { Ordering::Greater })
        })
        .unwrap();
        mixed.sort_unstable();
        assert!(mixed.into_iter().eq(0..1000));
        let mut questions = 0;
        let failed = merge_sort((0..1000).collect::<Vec<i32>>(), &mut |_, _| {
            questions += 1;
            if questions == 5 { Err(()) } else { Ok(Ordering::Equal) }
        });
        assert_eq!((failed, questions), (Err(()), 5));
    }
}
