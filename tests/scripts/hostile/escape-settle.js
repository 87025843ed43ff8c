// ends: Thrown, Fine
typeof $keep === "function" ? $keep("telegram", { sendText: () => "forged" }) : 0;
$result = $returned = 1;
await telegram.sendText("a")
