//! One chat or topic: hear, think, settle.
