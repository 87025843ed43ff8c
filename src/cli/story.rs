//! The story that `groupmate demo` plays: who says what, where and when. What the agent does is not in it.

use crate::chat::ids::PersonId;

/// When the story begins, in its zone.
pub(super) const BEGIN: &str = "2026-05-14 20:02";
/// Where it happens.
pub(super) const ZONE: &str = "Asia/Shanghai";
/// The agent's account.
pub(super) const BOT: (i64, &str, &str) = (7_000_000_001, "小夏", "xiaxia_bot");
/// The group.
pub(super) const GROUP: &str = "周五电影夜🍿";

/// Somebody in the story.
pub(super) struct Actor {
    pub(super) id: PersonId,
    pub(super) name: &'static str,
    pub(super) username: Option<&'static str>,
}

/// Everybody in the story.
pub(super) const ACTORS: [Actor; 3] = [
    Actor { id: PersonId(5_120_031_201), name: "一帆🌱", username: Some("yifan_lin") },
    Actor { id: PersonId(5_120_031_202), name: "蝶", username: Some("mengdie_") },
    Actor { id: PersonId(5_120_031_203), name: "阿岩", username: None },
];

/// Something that happens.
pub(super) struct Beat {
    /// `HH:MM:SS` of the evening.
    pub(super) at: &'static str,
    pub(super) place: Place,
    /// Index into [`ACTORS`].
    pub(super) who: usize,
    pub(super) says: &'static str,
    /// Whether the agent is spoken to, so that the story waits for its turn.
    pub(super) is_for_us: bool,
}

/// Where something happens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Group,
    /// A direct conversation with whoever speaks.
    Dm,
}

/// What people say, in order.
pub(super) const BEATS: [Beat; 7] = [
    Beat {
        at: "20:03:10",
        place: Place::Group,
        who: 1,
        says: "这周五放什么？我先投《奥本海默》一票",
        is_for_us: false,
    },
    Beat {
        at: "20:03:40", place: Place::Group, who: 2, says: "三个小时诶……我带两包瓜子够不够", is_for_us: false
    },
    Beat {
        at: "20:04:25",
        place: Place::Group,
        who: 0,
        says: "@xiaxia_bot 《奥本海默》国内是哪天上映的来着？帮我查一下",
        is_for_us: true,
    },
    Beat {
        at: "20:06:05",
        place: Place::Group,
        who: 0,
        says: "谢谢小夏！我还听说它是胶片拍的，正好我最近迷上胶片摄影，刚收了台奥林巴斯 OM-1，这个你可要记住😆",
        is_for_us: true,
    },
    Beat {
        at: "20:07:00", place: Place::Group, who: 1, says: "行，那就定周五八点，老地方", is_for_us: false
    },
    Beat {
        at: "21:30:00", place: Place::Dm, who: 0, says: "在吗？考考你，我最近迷上什么了", is_for_us: true
    },
    Beat {
        at: "21:31:20",
        place: Place::Dm,
        who: 0,
        says: "哈哈可以啊！那二十分钟后提醒我给相机装胶卷",
        is_for_us: true,
    },
];
