// ends: TimedOut
`${{ toString() { for (;;); } }}`
