//! Every crate in the tree may be shipped inside a program under "MIT OR Apache-2.0". Offline: the manifests are here.

use std::process::Command;

use serde_json::Value;

/// Licences that ask for no more than attribution.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];
/// Exceptions that only give more rights.
const EXCEPTIONS: &[&str] = &["LLVM-exception"];
/// Single crates under another licence, and why they may stay.
const SINGLE: &[(&str, &str, &str)] = &[
    (
        "webpki-roots",
        "CDLA-Permissive-2.0",
        "the list of certificate authorities: data, free to pass on with its licence",
    ),
    ("colored", "MPL-2.0", "comes with teloxide, unchanged; only its own files are under this licence"),
];

/// Whether one may choose a way through this expression that only meets allowed licences.
fn is_allowed(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    any(&mut rest).unwrap_or(false) && rest.is_empty()
}

fn any(words: &mut &[&str]) -> Option<bool> {
    let mut allowed = all(words)?;
    while words.first() == Some(&"OR") {
        *words = &words[1..];
        allowed |= all(words)?;
    }
    Some(allowed)
}

fn all(words: &mut &[&str]) -> Option<bool> {
    let mut allowed = one(words)?;
    while words.first() == Some(&"AND") {
        *words = &words[1..];
        allowed &= one(words)?;
    }
    Some(allowed)
}

fn one(words: &mut &[&str]) -> Option<bool> {
    let (first, rest) = words.split_first()?;
    *words = rest;
    if *first == "(" {
        let allowed = any(words)?;
        *words = words.strip_prefix(&[")"])?;
        return Some(allowed);
    }
    let mut allowed = ALLOWED.contains(first);
    if words.first() == Some(&"WITH") {
        allowed &= EXCEPTIONS.contains(words.get(1)?);
        *words = &words[2..];
    }
    Some(allowed)
}

#[test]
fn every_dependency_has_an_allowed_licence() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--format-version", "1"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let used: Vec<&str> =
        metadata["resolve"]["nodes"].as_array().unwrap().iter().filter_map(|node| node["id"].as_str()).collect();
    let packages = metadata["packages"].as_array().unwrap();
    let of_use = packages.iter().filter(|package| used.contains(&package["id"].as_str().unwrap_or_default()));
    let (mut wrong, mut count) = (Vec::new(), 0);
    for package in of_use {
        let (name, licence) = (package["name"].as_str().unwrap(), package["license"].as_str().unwrap_or("none"));
        let is_known = SINGLE.iter().any(|(known, its, _)| (*known, *its) == (name, licence));
        if !is_known && !is_allowed(licence) {
            wrong.push(format!("{name} {}: {licence}", package["version"]));
        }
        count += 1;
    }
    assert!(count > 100, "only {count} packages were seen");
    assert!(wrong.is_empty(), "not allowed:\n{}", wrong.join("\n"));
}

#[test]
fn expressions_are_read_as_they_are_meant() {
    let rows = [
        ("MIT", true),
        ("GPL-3.0", false),
        ("MIT OR GPL-3.0", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR GPL-3.0) AND Unicode-3.0", true),
        ("GPL-3.0 OR MIT AND ISC", true),
        ("GPL-3.0 OR MIT AND AGPL-3.0", false),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("GPL-2.0 WITH Classpath-exception-2.0", false),
        ("MIT/Apache-2.0", true),
        ("(MIT", false),
        ("MIT MIT", false),
        ("none", false),
        ("", false),
    ];
    for (expression, expected) in rows {
        assert_eq!(is_allowed(expression), expected, "{expression}");
    }
}
