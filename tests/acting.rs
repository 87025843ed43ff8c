//! What scripts do in Telegram, in a real process, over real HTTP against the embedded server.

use groupmate::playground::SeenAct;

use crate::support::{ALICE, Home, Model, group_of_two, js, telegram, until};

/// The acts of one method, oldest first.
fn of(acts: Vec<SeenAct>, method: &str) -> Vec<SeenAct> {
    acts.into_iter().filter(|act| act.method == method).collect()
}

#[tokio::test]
async fn a_press_wakes_the_room_with_what_the_button_says_and_its_message_can_be_edited() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|n, _| match n {
        1 => js("const asked = await telegram.sendText('几点？', { buttons: [[{ text: '七点整', data: 't:7' }], [{ text: '网站', url: 'https://a.example/x' }]] });\n\
                 ctx.asked = asked.id; undefined;"),
        _ => js("await telegram.edit(ctx.asked, '定了：七点', {});\nawait telegram.editButtons(ctx.asked, [[{ text: '改' }]]);\nawait telegram.editButtons(ctx.asked, null);"),
    })
    .await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.say(group, ALICE, "@xiaxia_bot 问问大家", None);
    until("the question", || !of(server.acts(), "sendMessage").is_empty()).await;
    let sent = of(server.acts(), "sendMessage").remove(0);
    let rows = &sent.body["reply_markup"]["inline_keyboard"];
    assert_eq!(rows[0][0], serde_json::json!({ "text": "七点整", "callback_data": "t:7" }));
    assert_eq!(rows[1][0]["url"], "https://a.example/x");

    until("the end of the turn that asked", || home.log().contains("the turn ended")).await;
    let query = server.press(group, sent.message.unwrap(), ALICE, "t:7").unwrap();
    until("the last edit", || of(server.acts(), "editMessageReplyMarkup").len() == 2).await;
    until("the spinner's end", || !of(server.acts(), "answerCallbackQuery").is_empty()).await;
    let answered = of(server.acts(), "answerCallbackQuery");
    assert_eq!(answered.len(), 1);
    assert_eq!(answered[0].body["callback_query_id"], query.as_str());
    let edited = of(server.acts(), "editMessageText").remove(0);
    assert_eq!((edited.message, edited.text.as_str()), (sent.message, "定了：七点"));
    assert!(running.terminate().success(), "{}", home.log());
    assert_eq!(model.asked(), 2, "one wake for the mention, one for the press: {}", home.log());
    let woken = model.prompt(1).all();
    assert!(woken.contains("pressed the button “七点整” (t:7)"), "{woken}");
    model.assert_sound();
}

#[tokio::test]
async fn buttons_that_cannot_be_are_refused_by_what_is_wrong_with_them() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|n, _| match n {
        1 => js("for (const button of [{ text: 'x', data: 'y'.repeat(65) }, { text: 'x', url: 'javascript:1' },\n\
             { text: 'x', data: 'd', url: 'https://a.example' }, { data: 'd' }]) {\n\
               try { await telegram.sendText('t', { buttons: [[button]] }); } catch (e) { console.log(e.message); }\n\
             }"),
        _ => js("turn.pass('seen')"),
    })
    .await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.say(group, ALICE, "@xiaxia_bot 试试", None);
    until("the report", || model.asked() == 2).await;
    assert!(running.terminate().success(), "{}", home.log());
    let report = model.prompt(1).last().to_owned();
    for part in ["65 bytes", "https:// address", "both data and url", "rows of buttons"] {
        assert!(report.contains(part), "{part} in {report}");
    }
    assert!(of(server.acts(), "sendMessage").is_empty());
}

#[tokio::test]
async fn b7_every_act_of_a_topic_stays_in_it_and_reaches_telegram_as_documented() {
    let server = telegram().await;
    let group = group_of_two(&server, "forum");
    let topic = server.add_topic(group, "出行");
    let other = server.add_topic(group, "别的");
    let model = Model::start(move |n, p| match n {
        1 => js(&format!(
            "const asked = {};\n\
             await telegram.sendText('引用', {{ replyTo: asked, quote: '做一遍', quiet: true }});\n\
             const own = await telegram.sendText('别处', {{ topic: {other} }});\n\
             const poll = await telegram.poll('几点？', ['七点', '八点'], {{ multiple: true, named: true }});\n\
             await telegram.forward(asked, {{ topic: {other} }});\n\
             console.log((await telegram.copy(asked)).id > 0);\n\
             await telegram.pin(poll.id);\nawait telegram.unpin(poll.id);\n\
             await telegram.sticker('😂');\n\
             const made = await telegram.createTopic('新');\n\
             await telegram.closeTopic(made.id);\nawait telegram.reopenTopic(made.id);\n\
             console.log(made.id, (await telegram.chat()).title, (await telegram.administrators())[0].name, (await telegram.member(1001)).status);",
            p.waiting()[0]
        )),
        2 => js(&format!(
            "for (const act of [() => telegram.admin.ban(1002), () => telegram.delete({}), () => telegram.sticker('🦖'), () => telegram.forward(1, {{ chat: -5 }}), () => telegram.pinChat(1)]) {{\n\
               try {{ await act(); console.log('DONE'); }} catch (e) {{ console.log(e.name, e.message); }}\n\
             }}",
            3
        )),
        _ => js("turn.pass('seen')"),
    })
    .await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.push_update(serde_json::json!({ "message": {
        "message_id": 900, "date": 1, "chat": { "id": group.0, "type": "supergroup", "title": "forum", "is_forum": true },
        "from": { "id": ALICE.0, "is_bot": false, "first_name": "Alice" },
        "message_thread_id": topic.0, "is_topic_message": true,
        "sticker": { "file_id": "sticker-file", "file_unique_id": "u", "type": "regular", "width": 1, "height": 1,
            "is_animated": false, "is_video": false, "emoji": "😂", "set_name": "cats" } } }));
    let asked = server.say_in(group, Some(topic), ALICE, "@xiaxia_bot 都做一遍", None);
    until("the second report", || model.asked() == 3).await;
    assert!(running.terminate().success(), "{}", home.log());
    let first = model.prompt(1).last().to_owned();
    assert!(first.contains("forum 小夏 member"), "{first}");
    let acts: Vec<SeenAct> = server
        .acts()
        .into_iter()
        .filter(|act| act.method != "sendChatAction" && act.method != "getMe" && act.method != "setMyCommands")
        .collect();
    let methods: Vec<&str> = acts.iter().map(|act| act.method.as_str()).collect();
    assert_eq!(
        methods,
        [
            "sendMessage",
            "sendMessage",
            "sendPoll",
            "forwardMessage",
            "copyMessage",
            "pinChatMessage",
            "unpinChatMessage",
            "sendSticker",
            "createForumTopic",
            "closeForumTopic",
            "reopenForumTopic",
        ]
    );
    assert_eq!(
        (acts[0].reply_to, &acts[0].body["reply_parameters"]["quote"]),
        (Some(asked), &serde_json::json!("做一遍"))
    );
    assert_eq!(acts[0].body["disable_notification"], true);
    let topics: Vec<_> = [0, 1, 2, 3, 4, 7].map(|n: usize| acts[n].topic).into();
    assert_eq!(topics, [Some(topic), Some(other), Some(topic), Some(other), Some(topic), Some(topic)]);
    assert_eq!(acts[2].body["is_anonymous"], false);
    assert_eq!(acts[7].body["sticker"], "sticker-file");

    let second = model.prompt(2).last().to_owned();
    let parts = ["operator's leave", "not one of yours", "there is 😂", "may not go to chat -5", "not a function"];
    for part in parts {
        assert!(second.contains(part), "{part} in {second}");
    }
    assert!(!second.contains("DONE"), "{second}");
}

#[tokio::test]
async fn the_operators_rules_stand_above_declarations_and_a_denial_says_why() {
    let server = telegram().await;
    let group = group_of_two(&server, "g");
    let model = Model::start(|n, _| match n {
        1 => js("for (const act of [() => telegram.admin.ban(1002), () => telegram.sendText('x'), () => memory.recall('x')]) {\n\
             try { await act(); console.log('DONE'); } catch (e) { console.log(e.name, e.message); }\n}"),
        _ => js("turn.pass('seen')"),
    })
    .await;
    let home = Home::new(
        &server,
        &model.url,
        "[skills.telegram.methods]\n\"admin.*\" = \"allow\"\nsendText = \"deny\"\n[skills.memory.methods]\n\"*\" = \"ask\"\n",
    );
    let running = home.run(&[]);
    server.say(group, ALICE, "@xiaxia_bot 试试", None);
    until("the report", || model.asked() == 2).await;
    assert!(running.terminate().success(), "{}", home.log());
    let report = model.prompt(1).last().to_owned();
    assert_eq!(report.matches("DONE").count(), 1, "{report}");
    assert!(report.contains("telegram.sendText is forbidden here by the operator; nothing was done"), "{report}");
    assert!(report.contains("memory.recall needs an operator's leave"), "{report}");
    assert_eq!(of(server.acts(), "banChatMember").len(), 1);
    assert!(of(server.acts(), "sendMessage").is_empty());
}
