//! What the files say as texts: the skill's own, and that of each type.

use std::collections::BTreeMap;

use oxc_span::GetSpan;

use super::{File, Index, Named, Thing};
use crate::skills::declaration::Type;
use crate::skills::declaration::jsdoc::{Doc, plain};
use crate::skills::declaration::walk::references;

impl Index<'_> {
    /// The skill's text: the main file's first comment, if it is not another thing's, or the root's own.
    pub(in crate::skills::declaration) fn summary(&self, global: &str) -> String {
        let own = |named: &Named<'_>| {
            self.files.get(named.file).map(|file| file.doc(named.start).line()).filter(|line| !line.is_empty())
        };
        let first = self.files.first().and_then(|file| self.file_comment(file, global));
        let root = self.default.unwrap_or(global);
        let text = first.or_else(|| self.resolve("", root).and_then(|full| self.named(full).iter().find_map(own)));
        let text = text.unwrap_or_default();
        // "tavily.d.ts — web search" says the same without its file's name.
        let file = self.files.first().map_or("", |file| file.name);
        let rest = text.strip_prefix(file).unwrap_or(&text).trim_start();
        rest.trim_start_matches(['—', '–', '-', ':']).trim_start().to_owned()
    }

    fn file_comment(&self, file: &File<'_>, global: &str) -> Option<String> {
        let Some(first) = file.program.body.first() else {
            return file.program.comments.iter().filter(|c| c.is_jsdoc()).find_map(|comment| {
                let doc = Doc::parse(file.source.get(comment.span.start as usize..comment.span.end as usize)?);
                (!doc.is_notice && !doc.text.is_empty()).then(|| doc.line())
            });
        };
        let start = first.span().start;
        let docs: Vec<(&str, Doc)> =
            file.comments(start).map(|(_, raw)| (raw, Doc::parse(raw))).filter(|(_, doc)| !doc.is_notice).collect();
        let (raw, doc) = docs.first()?;
        let named = self.named(self.resolve("", global).unwrap_or_default());
        let is_root = named.iter().any(|named| named.file == 0 && named.start == start);
        let is_link = self.links.contains(&(0, start));
        let says_so = ["@file", "@packageDocumentation", "@module"].iter().any(|tag| raw.contains(tag));
        let end = file.source.find(raw).map_or(0, |at| at + raw.len());
        let gap = file.source.get(end..start as usize).unwrap_or_default();
        let stands_apart = gap.bytes().filter(|b| *b == b'\n').count() > 1;
        (docs.len() > 1 || is_root || is_link || says_so || stands_apart).then(|| doc.line()).filter(|l| !l.is_empty())
    }

    /// All types, with their texts.
    pub(in crate::skills::declaration) fn types(&self) -> BTreeMap<String, Type> {
        let mut types = BTreeMap::new();
        for (full, all) in &self.names {
            let mut described = Type::default();
            for named in all {
                let Some(file) = self.files.get(named.file) else { continue };
                let scope = full.rsplit_once('.').map_or("", |(scope, _)| scope);
                match named.thing {
                    Thing::Interface(_) | Thing::Alias(_) | Thing::Class(_) | Thing::Enum(_) => {}
                    Thing::Value(_) | Thing::Function(_) | Thing::Namespace | Thing::Same(_) => continue,
                }
                if !described.text.is_empty() {
                    described.text.push('\n');
                }
                if let Some((span, comment)) =
                    file.comments(named.start).next_back().filter(|(_, c)| !Doc::parse(c).is_notice)
                {
                    file.taken.borrow_mut().push(span);
                    let comment: Vec<_> = comment.lines().map(str::trim).collect();
                    described.text.push_str(&plain(&comment.join("\n ")));
                    described.text.push('\n');
                }
                let text = file.text(named.span);
                let text = text.strip_prefix("declare ").unwrap_or(&text);
                described.text.push_str(&plain(text));
                for name in references(named.thing) {
                    if let Some(found) = self.resolve(scope, &name).filter(|found| *found != full.as_str())
                        && !described.types.iter().any(|known| known == found)
                    {
                        described.types.push(found.to_owned());
                    }
                }
            }
            if !described.text.is_empty() {
                types.insert(full.clone(), described);
            }
        }
        types
    }
}
