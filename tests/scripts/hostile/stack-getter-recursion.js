// ends: Thrown, Crashed, TimedOut
({ get x() { return this.x; } }).x
