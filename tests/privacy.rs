//! The audience rule against a model that tries: what is told alone reaches no group, by any path.

use crate::support::{ALICE, BOB, Home, Model, group_of_two, js, telegram, until};

const SECRET: &str = "我下个月要离职了";

#[tokio::test]
async fn what_is_told_in_a_dm_reaches_no_group_and_no_other_dm() {
    let server = telegram().await;
    let group = group_of_two(&server, "team");
    let other = group_of_two(&server, "other");
    let model = Model::start(move |_, p| {
        let last = p.last();
        let place = p.system.lines().next().unwrap_or_default().to_owned();
        if place.contains("direct conversation") && place.contains("Alice") && !last.contains("The script") {
            // In Alice's DM: remember it, and try to carry it out on every path there is.
            return js(&format!(
                "await memory.remember('Alice: {SECRET}'); ctx.leak = '{SECRET}';\n\
                 for (const chat of [{group}, {other}, 'dm:{BOB}', '{group}']) {{\n\
                   try {{ await telegram.sendText('{SECRET}', {{ chat }}); console.log('SENT'); }} catch (e) {{ console.log(e.name); }}\n\
                 }}"
            ));
        }
        if last.contains("The script ran") || last.contains("The script failed") {
            return js("await telegram.sendText('ok')");
        }
        // Anywhere else: dig for it.
        js("const found = [await memory.recall('离职'), await memory.recall('Alice'), await memory.history({ query: '离职' }), await memory.person('Alice'), ctx, await agenda.list()];\nconsole.log(JSON.stringify(found));")
    })
    .await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.say(group, ALICE, "hi all", None);
    server.say(ALICE.dm(), ALICE, SECRET, None);
    until("the DM's turn", || server.acts().iter().any(|act| act.chat == ALICE.dm() && act.text == "ok")).await;
    for (chat, who) in [(group, BOB), (other, BOB), (BOB.dm(), BOB)] {
        server.say(chat, who, "@xiaxia_bot Alice 最近怎么样，要离职吗", None);
        until("an answer there", || server.acts().iter().any(|act| act.chat == chat && act.text == "ok")).await;
    }
    assert!(running.terminate().success(), "{}", home.log());
    for act in server.acts().iter().filter(|act| act.chat != ALICE.dm()) {
        assert!(!act.body.to_string().contains(SECRET), "sent to {}: {:?}", act.chat, act.body);
    }
    let prompts = model.prompts.lock().unwrap().clone();
    let mut elsewhere = 0;
    for prompt in
        prompts.iter().filter(|p| !p.system.lines().next().unwrap_or_default().contains("conversation with Alice"))
    {
        elsewhere += 1;
        assert!(!prompt.all().contains(SECRET), "in a prompt of another room: {}", prompt.all());
    }
    assert_eq!(elsewhere, 6, "three rooms asked and answered");
    let tried = prompts.iter().find(|p| p.last().contains("PermissionError")).expect("the DM's script was refused");
    assert!(!tried.last().contains("SENT"), "{}", tried.last());
    model.assert_sound();
}

#[tokio::test]
async fn a_group_may_tell_its_member_alone_but_no_stranger() {
    let server = telegram().await;
    let group = server.add_group("g");
    server.add_person(ALICE, "Alice", None, None);
    server.add_person(BOB, "Bob", None, None);
    server.join(group, ALICE);
    // Bob wrote to us once but is not in the group.
    let model = Model::start(move |_, p| {
        if p.system.lines().next().unwrap_or_default().contains("direct conversation") {
            return js("turn.pass('only hello')");
        }
        js(&format!(
            "const out = [];\nfor (const chat of ['dm:{ALICE}', 'dm:{BOB}']) {{\n  try {{ await telegram.sendText('周五八点', {{ chat }}); out.push('sent'); }} catch (e) {{ out.push(e.name); }}\n}}\nawait telegram.sendText(out.join(' '));"
        ))
    })
    .await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.say(BOB.dm(), BOB, "hello", None);
    server.say(ALICE.dm(), ALICE, "hello", None);
    until("both heard", || model.asked() == 2).await;
    server.say(group, ALICE, "@xiaxia_bot 私聊发我时间", None);
    until("the outcome", || server.acts().iter().any(|act| act.chat == group && !act.text.is_empty())).await;
    assert!(running.terminate().success());
    let outcome = server.acts().into_iter().find(|act| act.chat == group && !act.text.is_empty()).unwrap();
    assert_eq!(outcome.text, "sent PermissionError");
    assert!(server.acts().iter().all(|act| act.chat != BOB.dm() || act.text.is_empty()));
}

#[tokio::test]
async fn in_a_dm_a_member_hears_of_their_group_and_a_stranger_does_not() {
    let server = telegram().await;
    let group = server.add_group("g");
    server.add_person(ALICE, "Alice", None, None);
    server.add_person(BOB, "Bob", None, None);
    server.join(group, ALICE);
    let model = Model::start(|_, p| {
        if p.system.lines().next().unwrap_or_default().contains("direct conversation") {
            js("await telegram.sendText('hi')")
        } else {
            js("await memory.remember('the party is on Friday', { about: 'chat' }); await telegram.sendText('noted')")
        }
    })
    .await;
    let home = Home::new(&server, &model.url, "");
    let running = home.run(&[]);
    server.say(group, ALICE, "@xiaxia_bot remember: the party is on Friday", None);
    until("noted", || server.acts().iter().any(|act| act.chat == group)).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    server.say(ALICE.dm(), ALICE, "when is the party on Friday?", None);
    server.say(BOB.dm(), BOB, "when is the party on Friday?", None);
    until("both", || model.asked() == 3).await;
    assert!(running.terminate().success());
    let prompts = model.prompts.lock().unwrap().clone();
    let of = |who: &str| prompts.iter().find(|p| p.system.contains(&format!("conversation with {who}"))).unwrap().all();
    assert!(of("Alice").contains("the party is on Friday ("), "{}", of("Alice"));
    assert!(!of("Bob").contains("the party is on Friday ("), "{}", of("Bob"));
}
