//! Skills from their folders to something that calls can use: at the start, and again whenever an operator says so.
//!
//! Invariants:
//! - A turn keeps the skills with which it began; what was loaded anew is there from the next one on.
//! - What a reload found in the folders is in the journal, so a replay has it at the same place.
//! - One broken skill takes no other with it, neither where files are read nor where code is loaded.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::{Value, json};

use super::guide::text_inside;
use super::house::House;
use crate::chat::ids::RoomId;
use crate::config::Config;
use crate::journal::{Key, Kind};
use crate::sandbox::{Pool, SkillChild, SkillCode};
use crate::skills::bundled::bundled;
use crate::skills::guide;
use crate::skills::registry::{Problem, Registry, Skill, SkillFiles};

/// The largest text file of a skill that is read.
const LARGEST_FILE: usize = 4 * 1024 * 1024;

/// What scripts can use, and the children that answer for it.
#[derive(Debug)]
pub struct Skills {
    /// The skills and guides.
    pub registry: Registry,
    /// Children that hold skill code, by skill name; none in a replay.
    pub code: BTreeMap<String, SkillChild>,
}

/// The skills of the house, which a reload replaces.
#[derive(Debug)]
pub struct Shared(RwLock<Arc<Skills>>);

impl Skills {
    /// These skills.
    pub fn new(registry: Registry, code: BTreeMap<String, SkillChild>) -> Arc<Self> {
        Arc::new(Self { registry, code })
    }
}

impl From<Arc<Skills>> for Shared {
    fn from(skills: Arc<Skills>) -> Self {
        Self(RwLock::new(skills))
    }
}

impl Shared {
    /// The skills as they are now. Whoever must see the same ones throughout keeps what this gives.
    pub fn now(&self) -> Arc<Skills> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on, these.
    pub fn replace(&self, skills: Arc<Skills>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = skills;
    }
}

impl House {
    /// Reads the skill folders again, in a room's own step `n`: the skills, not yet in use, and what is wrong with some.
    pub async fn reload(&self, room: RoomId, n: u64) -> (Arc<Skills>, Vec<Problem>) {
        let mut children = BTreeMap::new();
        let live = async {
            let (files, mut problems) = found(&self.config);
            let (registry, more) = registry(files.clone());
            problems.extend(more);
            if self.hands.is_some() {
                let (loaded, more) = code(&self.pool, &registry, &self.config).await;
                children = loaded;
                problems.extend(more);
            }
            (files, problems, lacking(&self.config, &registry))
        };
        let key = Key::of(room, Kind::Reloaded).number(n);
        let (files, problems, lacking) = self.tape.outside(key, &Value::Null, live).await.answer;
        // What is wrong in these files is among the problems already.
        let (registry, _) = registry(files);
        (Skills::new(registry.lacking(lacking), children), problems)
    }
}

/// Bundled skills, and those of the configured folders over them. What is broken is named and left out.
pub fn skills(config: &Config) -> (Registry, Vec<Problem>) {
    let (files, mut problems) = found(config);
    let (registry, more) = registry(files);
    problems.extend(more);
    let lacking = lacking(config, &registry);
    (registry.lacking(lacking), problems)
}

/// The skills that cannot be used as they are configured.
fn lacking(config: &Config, registry: &Registry) -> Vec<String> {
    let lacking = registry.skills().filter(|skill| !missing_secrets(config, skill).is_empty());
    lacking.map(|skill| skill.name.clone()).collect()
}

fn registry(found: Vec<SkillFiles>) -> (Registry, Vec<Problem>) {
    let mut files = bundled();
    files.extend(found);
    Registry::build(files)
}

/// What the configured folders hold, in the order of the configuration and of names.
fn found(config: &Config) -> (Vec<SkillFiles>, Vec<Problem>) {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    for folder in &config.skill_folders {
        scan(folder, &mut files, &mut problems);
    }
    (files, problems)
}

/// The secrets of a skill that the operator has not given: without them its calls would fail.
pub fn missing_secrets<'s>(config: &Config, skill: &'s Skill) -> Vec<&'s str> {
    let is_given =
        |key: &str| config.skills.get(&skill.name).is_some_and(|given| given.value(key).is_ok_and(|v| v.is_some()));
    skill.manifest.secrets.keys().map(String::as_str).filter(|key| !is_given(key)).collect()
}

fn scan(folder: &Path, files: &mut Vec<SkillFiles>, problems: &mut Vec<Problem>) {
    // A missing folder is an empty one.
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut folders: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    for path in folders {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if name.starts_with('.') {
            continue;
        }
        let mut skill = SkillFiles { name: name.clone(), origin: path.display().to_string(), files: BTreeMap::new() };
        match std::fs::read_dir(&path) {
            Ok(entries) => entries.flatten().for_each(|entry| read(&entry.path(), &mut skill, problems)),
            Err(error) => {
                problems.push(Problem { skill: name, place: skill.origin.clone(), message: error.to_string() });
            }
        }
        if !skill.files.is_empty() {
            files.push(skill);
        }
    }
}

fn read(path: &Path, skill: &mut SkillFiles, problems: &mut Vec<Problem>) {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return };
    let most = match name {
        guide::MAIN => guide::FILE,
        _ if [".ts", ".js", ".json"].iter().any(|end| name.ends_with(end)) => LARGEST_FILE,
        _ => return,
    };
    let Some(folder) = path.parent().filter(|_| !path.is_dir()) else { return };
    match text_inside(folder, name, most) {
        Ok(text) => drop(skill.files.insert(name.to_owned(), text)),
        Err(message) => {
            problems.push(Problem { skill: skill.name.clone(), place: path.display().to_string(), message });
        }
    }
}

/// Loads skill code: a skill with hosts or secrets into a child of its own, the harmless rest together, as far as each
/// of them loads.
pub async fn code(pool: &Pool, registry: &Registry, config: &Config) -> (BTreeMap<String, SkillChild>, Vec<Problem>) {
    let (mut groups, mut together): (Vec<Vec<SkillCode>>, Vec<SkillCode>) = (Vec::new(), Vec::new());
    for skill in registry.skills() {
        let Some(source) = &skill.code else { continue };
        let code = SkillCode { name: skill.name.clone(), source: source.clone(), settings: settings(config, skill) };
        if skill.manifest.hosts.is_empty() && skill.manifest.secrets.is_empty() {
            together.push(code);
        } else {
            groups.push(vec![code]);
        }
    }
    if !together.is_empty() {
        groups.push(together);
    }
    let (mut loaded, mut problems) = (BTreeMap::new(), Vec::new());
    while let Some(group) = groups.pop() {
        let names: Vec<String> = group.iter().map(|code| code.name.clone()).collect();
        match pool.skill_child(group.clone()).await {
            Ok(child) => loaded.extend(names.into_iter().map(|name| (name, child.clone()))),
            // Which of them it was shows when each is alone.
            Err(_) if group.len() > 1 => groups.extend(group.into_iter().map(|code| vec![code])),
            Err(error) => {
                let skill = names.concat();
                let place = registry.skill(&skill).map_or_else(String::new, |skill| skill.origin.clone());
                problems.push(Problem {
                    skill,
                    place,
                    message: error.to_string().lines().next().unwrap_or_default().to_owned(),
                });
            }
        }
    }
    problems.sort_by(|a, b| a.skill.cmp(&b.skill));
    (loaded, problems)
}

/// The real values of a skill's settings; never a secret.
fn settings(config: &Config, skill: &Skill) -> Value {
    let given = config.skills.get(&skill.name);
    let values = skill.manifest.settings.keys().filter_map(|key| {
        let value = given?.value(key).ok()??;
        Some((key.clone(), json!(value)))
    });
    Value::Object(values.collect())
}
