//! The bundled skills, each as a script uses it: the real code, in its own child.

use serde_json::Value;

use crate::support::groupmate;

/// Runs a script as a turn would; its value or its error, as the model would see them.
fn tried(script: &str) -> String {
    let home = tempfile::tempdir().unwrap();
    let (_, out, errors) = groupmate(&["skills", "try", script, "--json"], home.path());
    let all: Value = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{errors}"));
    match all["report"]["error"]["message"].as_str() {
        Some(error) => format!("{}: {error}", all["report"]["error"]["name"].as_str().unwrap_or_default()),
        None => all["report"]["output"].as_str().unwrap_or_default().trim_end().to_owned(),
    }
}

#[test]
fn calc_is_exact_and_says_where_it_does_not_understand() {
    let rows = [
        ("6 * 7", "42"),
        ("1+2", "3"),
        ("0.1 + 0.2", "0.3"),
        ("1/3", "0.3333333333333333"),
        ("1/3*3", "1"),
        ("386 * 110% / 5", "84.92"),
        ("15% * 80", "12"),
        ("200 + 10%", "200.1"),
        ("17 % 5", "2"),
        ("-7 % 3", "2"),
        ("2^10", "1024"),
        ("2**3**2", "512"),
        ("-2^2", "-4"),
        ("2^-2", "0.25"),
        ("2^100", "1267650600228229401496703205376"),
        ("20!", "2432902008176640000"),
        ("sqrt(1764)", "42"),
        ("sqrt(2)^2", "2"),
        ("sqrt(1/4)", "0.5"),
        ("round(2.5) + round(-2.5)", "0"),
        ("ceil(1.2) - floor(-1.2)", "4"),
        ("max(3, 1/2, 7) - min(4, 2)", "5"),
        ("gcd(84, 36) * lcm(4, 6)", "144"),
        ("sin(pi/6)", "0.5"),
        ("log(1000) + ln(e) + log2(8)", "7"),
        ("deg(pi)", "180"),
        ("1,234,567 + 1", "1234568"),
        ("3×4÷6−1", "1"),
        ("（1＋2", "SyntaxError: calc.eval: \"＋2\" is not understood, at character 3 of \"（1＋2\""),
        ("1e3 + .5", "1000.5"),
        ("(-1)^1000001", "-1"),
        ("6 times 7", "SyntaxError: calc.eval: \"times 7\" is not understood, at character 3 of \"6 times 7\""),
        ("1 +", "SyntaxError: calc.eval: it ends too early, at character 4 of \"1 +\""),
        ("1/0", "RangeError: calc.eval: division by zero"),
        ("9^9^9", "RangeError: calc.eval: the result is too large"),
        ("1e999*1e999*1e999", "RangeError: calc.eval: the result is too large"),
        ("sqrt(-1)", "RangeError: calc.eval: the result is not a real number"),
        ("constructor(1)", "SyntaxError: calc.eval: \"constructor(1)\" is not understood"),
        ("gcd(1)", "TypeError: calc.eval: gcd takes 2 arguments, got 1"),
    ];
    let list = serde_json::to_string(&rows.map(|(expression, _)| expression).to_vec()).unwrap();
    let out = tried(&format!(
        "for (const text of {list}) {{ try {{ console.log(String(await calc.eval(text))); }} catch (e) {{ console.log(`${{e.name}}: ${{e.message}}`); }} }}"
    ));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), rows.len(), "{out}");
    for ((expression, expected), line) in rows.iter().zip(lines) {
        let fits = if expected.contains("Error") { line.starts_with(expected) } else { line == *expected };
        assert!(fits, "{expression}: {line}, not {expected}");
    }
    let deep = format!("await calc.eval('{}1{}')", "(".repeat(200), ")".repeat(200));
    assert_eq!(tried(&deep), "RangeError: calc.eval: nested deeper than 50");
    assert_eq!(
        tried("await calc.eval(42)"),
        "TypeError: calc.eval: expression must be a text such as \"6 * 7\", got number"
    );
}

#[test]
fn dice_fall_within_their_bounds_and_add_up() {
    let script = "const sum = (list) => list.reduce((a, b) => a + b, 0);\n\
        const check = (is, what) => { if (!is) throw new Error(what); };\n\
        const seen = new Set();\n\
        for (let i = 0; i < 40; i++) {\n\
          const two = await dice.roll('2d6+1');\n\
          check(two.dice.length === 2 && two.dice.every((d) => d >= 1 && d <= 6) && two.total === sum(two.dice) + 1, JSON.stringify(two));\n\
          two.dice.forEach((d) => seen.add(d));\n\
        }\n\
        check(seen.size === 6, 'every side comes up in 80 throws');\n\
        const kept = await dice.roll(' 4D6 kh3 - d4 ');\n\
        check(kept.dice.length === 4 && kept.dropped.length === 1 && kept.total === sum(kept.dice.slice(0, 3)) - kept.dice[3], JSON.stringify(kept));\n\
        check(kept.dropped[0] <= Math.min(...kept.dice.slice(0, 3)), 'the lowest goes');\n\
        const low = await dice.roll('3d20kl1');\n\
        check(low.dropped.every((d) => d >= low.dice[0]), 'the highest go');\n\
        check((await dice.roll('d%')).total <= 100 && (await dice.roll('7')).total === 7, 'd%');\n\
        const drawn = await dice.draw(['a', 'b', 'c'], 2);\n\
        check(new Set(drawn).size === 2, 'each once');\n\
        check((await dice.shuffle([3, 1, 2])).sort().join() === '1,2,3', 'all of them');\n\
        for (const wrong of ['', 'two', '101d6', '2d1', '2d6kh3', 'd20d', '1d6 2d6', 7]) {\n\
          try { await dice.roll(wrong); check(false, `${wrong} is no dice`); } catch (e) { check(e.name === 'TypeError', `${wrong}: ${e.message}`); }\n\
        }\n\
        try { await dice.draw(['a'], 2); check(false, 'too many'); } catch (e) { check(e.message.includes('from 1 to 1'), e.message); }\n\
        console.log('fine')";
    assert_eq!(tried(script), "fine");
}

#[test]
fn the_weekly_report_brings_its_template() {
    let home = tempfile::tempdir().unwrap();
    let script = "const { files } = await skills.load('weekly-report');\n\
                  const text = await skills.read('weekly-report', files[0]);\nconsole.log(files.join(), text.includes('**Open**'))";
    let (code, out, errors) = groupmate(&["skills", "try", script], home.path());
    assert_eq!(code, 0, "{out}{errors}");
    for part in [
        "assets/template.md true",
        "<guide name=\"weekly-report\">\n# Weekly report",
        "<guide-file name=\"weekly-report\"",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    let (_, brief, _) = groupmate(&["skills", "brief"], home.path());
    for part in [
        "## calc\na calculator. Calculate exactly",
        "- eval: Calculate one expression.",
        "## dice\nfair chance.",
        "- draw: Draw some of several things, each at most once.",
        "<skill name=\"weekly-report\">Writes a report",
    ] {
        assert!(brief.contains(part), "{part}\n{brief}");
    }
}
