//! Skills: what the model can use, declared in TypeScript, described in one line, documented when it goes wrong.
