//! How times, sizes and hours are written in a configuration.

use crate::time::Span;

/// `90s`, `5m`, `2h`, `1d`, `500ms`; whole numbers only.
pub(super) fn span(text: &str) -> Option<Span> {
    let (number, unit) = split(text)?;
    let scale = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    i64::try_from(number).ok()?.checked_mul(scale).map(Span::millis)
}

/// A span as [`span`] reads it, in the largest unit that divides it.
pub(super) fn span_text(span: Span) -> String {
    let units = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1_000, "s")];
    let fitting = units.iter().find(|(scale, _)| span.0 > 0 && span.0 % scale == 0);
    match fitting {
        Some((scale, unit)) => format!("{}{unit}", span.0 / scale),
        None => format!("{}ms", span.0),
    }
}

/// `128MB`, `64KB`, `1GB`, `512B`; powers of 1024.
pub(super) fn size(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let shift = match unit {
        "B" => 0,
        "KB" | "K" => 10,
        "MB" | "M" => 20,
        "GB" | "G" => 30,
        _ => return None,
    };
    number.checked_mul(1 << shift)
}

/// A size as [`size`] reads it.
pub(super) fn size_text(size: u64) -> String {
    let units = [(30, "GB"), (20, "MB"), (10, "KB")];
    let fitting = units.iter().find(|(shift, _)| size > 0 && size.trailing_zeros() >= *shift);
    match fitting {
        Some((shift, unit)) => format!("{}{unit}", size >> shift),
        None => format!("{size}B"),
    }
}

/// `23:00-08:00`: from which hour to which, over midnight if need be. Whole hours, and not the same hour twice.
pub(super) fn hours(text: &str) -> Option<(u8, u8)> {
    let (from, to) = text.split_once(['-', '–'])?;
    let hour = |part: &str| {
        let (hour, minute) = part.trim().split_once(':').unwrap_or((part.trim(), "00"));
        let hour = hour.parse::<u8>().ok()?;
        (hour < 24 && minute == "00").then_some(hour)
    };
    let (from, to) = (hour(from)?, hour(to)?);
    (from != to).then_some((from, to))
}

fn split(text: &str) -> Option<(u64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    Some((text[..end].parse().ok()?, text[end..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_and_sizes_round_trip() {
        for text in ["500ms", "90s", "5m", "2h", "1d", "61s"] {
            assert_eq!(span(text).map(span_text).as_deref(), Some(text));
        }
        for text in ["128MB", "3KB", "1GB", "5B"] {
            assert_eq!(size(text).map(size_text).as_deref(), Some(text));
        }
        for text in ["", "s", "5", "5 parsecs", "-5s", "1.5h", "99999999999999999999s", "9223372036854775807d"] {
            assert_eq!(span(text), None, "{text}");
            assert_eq!(size(text), None, "{text}");
        }
    }

    #[test]
    fn quiet_hours_are_whole_and_may_cross_midnight() {
        assert_eq!(hours("23:00-08:00"), Some((23, 8)));
        assert_eq!(hours("1 - 7"), Some((1, 7)));
        for text in ["23:30-08:00", "24:00-08:00", "8-8", "night", "8"] {
            assert_eq!(hours(text), None, "{text}");
        }
    }
}
