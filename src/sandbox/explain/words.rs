//! Words of messages.

/// A kind with its article.
pub(super) fn article(kind: &str) -> String {
    match kind {
        "null" | "undefined" => kind.to_owned(),
        "skill" => "a skill object".to_owned(),
        "array" | "object" | "error" => format!("an {kind}"),
        kind => format!("a {kind}"),
    }
}

/// The name most like another, if one is like it.
pub(super) fn nearest<'n>(name: &str, names: &'n [String]) -> Option<&'n str> {
    // Of one letter or a number everything is near.
    if name.chars().count() < 2 || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let most = (name.chars().count() / 3).clamp(1, 3);
    let near =
        names.iter().filter(|known| known.as_str() != name && known.len() <= 2 * name.len() + 2).filter_map(|known| {
            let apart = distance(&known.to_lowercase(), &name.to_lowercase());
            (apart <= most).then_some((apart, known.as_str()))
        });
    near.min().map(|(_, known)| known)
}

/// Insertions, deletions and changes, a swap of neighbours being one change.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (rows[i][j] + usize::from(x != y)).min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *y && b[j - 1] == *x {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
