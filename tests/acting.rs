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
                 ctx.asked = asked.id;"),
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

    let query = server.press(group, sent.message.unwrap(), ALICE, "t:7").unwrap();
    until("the last edit", || of(server.acts(), "editMessageReplyMarkup").len() == 2).await;
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
