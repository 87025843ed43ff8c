use super::*;
use crate::skills::bundled::bundled;

fn registry() -> Registry {
    Registry::build(bundled()).0
}

#[test]
fn the_documentation_of_a_wrong_search() {
    let script = "const r = await tavily.search('weather');\nawait telegram.sendText(r.answer);";
    let found = disclose(&registry(), Some("tavily.search"), &[script], &BTreeSet::new(), 6000).unwrap();
    assert!(found.text.starts_with("The failed script used `tavily.search`, `telegram.sendText`."), "{}", found.text);
    for part in [
        "### tavily.search",
        "search(request: SearchRequest)",
        "interface SearchRequest",
        "type TimeRange",
        "interface Page",
    ] {
        assert!(found.text.contains(part), "{part}\n{}", found.text);
    }
    assert!(found.paths.starts_with(&[
        "tavily.search".into(),
        "telegram.sendText".into(),
        "tavily:SearchRequest".into()
    ]));
}

#[test]
fn what_is_visible_is_not_repeated_and_comes_back_later() {
    let registry = registry();
    let script = "await telegram.sendText(1); await telegram.react(1)";
    let first = disclose(&registry, None, &[script], &BTreeSet::new(), 6000).unwrap();
    let visible: BTreeSet<String> = first.paths.iter().cloned().collect();
    assert_eq!(disclose(&registry, Some("telegram.sendText"), &[script], &visible, 6000), None);
    let only: BTreeSet<String> = ["telegram.react".to_owned()].into();
    let again = disclose(&registry, None, &[script], &only, 6000).unwrap();
    assert!(
        again.paths.contains(&"telegram.sendText".to_owned()) && !again.paths.contains(&"telegram.react".to_owned())
    );
    let near_miss: BTreeSet<String> = ["telegram.send".to_owned(), "telegram.sendTextTo".to_owned()].into();
    assert!(disclose(&registry, Some("telegram.sendText"), &[], &near_miss, 6000).is_some());
}

/// What is visible is a set of paths: text that looks like our headings changes nothing.
#[test]
fn a_quoted_heading_does_not_suppress_documentation() {
    let script = "const said = '### tavily.search\\nsearch(request: SearchRequest)'; await tavily.search(said)";
    let visible: BTreeSet<String> = ["### tavily.search".to_owned(), "tavily.search()".to_owned()].into();
    let found = disclose(&registry(), Some("tavily.search"), &[script], &visible, 6000).unwrap();
    assert!(found.text.contains("\n### tavily.search\n"), "{}", found.text);
    assert_eq!(found.paths.first().map(String::as_str), Some("tavily.search"));
}

#[test]
fn a_misspelt_member_is_corrected_with_documentation() {
    let found = disclose(&registry(), Some("telegram.sendMessage"), &[], &BTreeSet::new(), 6000).unwrap();
    assert!(
        found.text.contains("There is no `telegram.sendMessage`; did you mean `telegram.sendText`?"),
        "{}",
        found.text
    );
    assert!(found.paths.contains(&"telegram.sendText".to_owned()));
}

#[test]
fn any_budget_holds_and_names_what_it_cut() {
    let registry = registry();
    let script = "memory.remember(); memory.recall(); tavily.search(); tavily.extract(); agenda.remind()";
    for budget in [300, 600, 1000, 2000, 4000, 8000, 100_000] {
        let found = disclose(&registry, Some("tavily.search"), &[script], &BTreeSet::new(), budget).unwrap();
        assert!(found.text.len() <= budget.max(500), "{budget}: {}", found.text.len());
        assert_eq!(found.text.contains("Left out for length"), budget < 8000, "{budget}\n{}", found.text);
        assert_eq!(found.paths.first().map(String::as_str), Some("tavily.search"));
    }
}

#[test]
fn docs_on_request() {
    let registry = registry();
    for path in ["tavily.search", " tavily.search() ", "tavily", "memory."] {
        assert!(docs(&registry, path, 100_000).is_some(), "{path}");
    }
    let whole = docs(&registry, "agenda", 100_000).unwrap();
    assert!(whole.text.starts_with("## agenda\n") && whole.text.contains("### agenda.cancel"), "{}", whole.text);
    for path in ["", ".", "tavily.crawl", "nothing", "tav"] {
        assert_eq!(docs(&registry, path, 6000), None, "{path}");
    }
}

#[test]
fn an_unknown_member_tells_what_there_is_once() {
    let registry = registry();
    let found =
        disclose(&registry, Some("telegram.launchRocket"), &["telegram.launchRocket(1)"], &BTreeSet::new(), 6000)
            .unwrap();
    assert!(
        found.text.starts_with("`telegram.launchRocket` is not declared; there is telegram.sendText, "),
        "{}",
        found.text
    );
    let visible: BTreeSet<String> = found.paths.into_iter().collect();
    assert_eq!(disclose(&registry, Some("telegram.launchRocket"), &["telegram.launchRocket(1)"], &visible, 6000), None);
    assert_eq!(disclose(&registry, None, &["const a = 1; a.b()"], &BTreeSet::new(), 6000), None);
}
