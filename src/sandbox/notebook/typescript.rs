//! Scripts in TypeScript: their types go, and their places stay the author's.

use super::{Prepared, Wrong, as_javascript};
use crate::skills::prepare::{Place, with_places};

/// Where what is left of a TypeScript text stood in it.
#[derive(Debug)]
pub(super) struct TypeScript {
    source: String,
    places: Vec<Place>,
}

/// Prepares what is TypeScript and no JavaScript; `wrong` is what there is to say if it cannot be stripped.
pub(super) fn prepare(source: &str, wrong: Wrong) -> Result<Prepared, Wrong> {
    let Ok((stripped, places)) = with_places("script.ts", source) else { return Err(wrong) };
    let typescript = TypeScript { source: source.to_owned(), places };
    match as_javascript(&stripped) {
        Ok(prepared) => Ok(Prepared { typescript: Some(typescript), ..prepared }),
        Err(other) => {
            let position = other.position.map(|place| typescript.author(&stripped, place));
            Err(Wrong { position, ..other })
        }
    }
}

impl TypeScript {
    /// The author's place for one in the stripped text: that of the last token up to there in its line.
    pub(super) fn author(&self, stripped: &str, (line, column): (u32, u32)) -> (u32, u32) {
        let line = line.saturating_sub(1);
        let units = units(line_of(stripped, line), column.saturating_sub(1));
        let on_line = || self.places.iter().filter(|place| place.now.0 == line);
        let place = on_line().rfind(|place| place.now.1 <= units).or_else(|| on_line().next());
        let Some(place) = place else { return (1, 1) };
        let (line, units) = place.before;
        (line + 1, chars(line_of(&self.source, line), units) + 1)
    }
}

fn line_of(text: &str, line: u32) -> &str {
    text.split('\n').nth(usize::try_from(line).unwrap_or(usize::MAX)).unwrap_or_default()
}

/// UTF-16 units before a character.
fn units(line: &str, chars: u32) -> u32 {
    let chars = usize::try_from(chars).unwrap_or(usize::MAX);
    let units = line.chars().take(chars).map(char::len_utf16).sum::<usize>();
    u32::try_from(units).unwrap_or(u32::MAX)
}

/// Characters before a UTF-16 unit.
fn chars(line: &str, units: u32) -> u32 {
    let (mut left, mut chars) = (usize::try_from(units).unwrap_or(usize::MAX), 0);
    for c in line.chars() {
        if left < c.len_utf16() {
            break;
        }
        left -= c.len_utf16();
        chars += 1;
    }
    chars
}
