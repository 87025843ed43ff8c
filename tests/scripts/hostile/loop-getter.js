// ends: Fine
({ get x() { for (;;); } })
