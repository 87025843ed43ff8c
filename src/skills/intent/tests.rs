use super::*;

fn globals() -> Vec<String> {
    ["tavily", "telegram", "memory", "github"].map(str::to_owned).to_vec()
}

fn paths(script: &str) -> String {
    member_paths(&[script], &globals()).join(" ")
}
