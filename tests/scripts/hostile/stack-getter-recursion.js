// ends: Thrown, Crashed
({ get x() { return this.x; } }).x
