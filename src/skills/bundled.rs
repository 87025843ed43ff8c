//! The skills that come inside the binary.
//!
//! The built-in ones are declarations only: the host itself answers their calls. The others are ordinary skills, and
//! a configured folder of the same name replaces them.

use super::registry::SkillFiles;

/// What a bundled skill's origin is called.
pub const ORIGIN: &str = "bundled";

macro_rules! files {
    ($name:literal: $($file:literal),+) => {
        SkillFiles {
            name: $name.to_owned(),
            origin: ORIGIN.to_owned(),
            files: [$(($file.to_owned(), include_str!(concat!("../../skills/", $name, "/", $file)).to_owned())),+].into(),
        }
    };
}

/// All bundled skills, in the order in which the model reads of them.
pub fn bundled() -> Vec<SkillFiles> {
    vec![
        files!("telegram": "telegram.d.ts"),
        files!("memory": "memory.d.ts"),
        files!("turn": "turn.d.ts"),
        files!("agenda": "agenda.d.ts"),
        files!("skills": "skills.d.ts"),
        files!("tavily": "tavily.d.ts", "index.ts", "package.json"),
        files!("calc": "calc.d.ts", "index.ts"),
        files!("dice": "dice.d.ts", "index.ts"),
        files!("weekly-report": "SKILL.md", "assets/template.md"),
    ]
}
