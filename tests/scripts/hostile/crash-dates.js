// ends: Fine, Crashed, Thrown
[new Date(8.64e15).toISOString(), String(new Date(8.64e15 + 1)), new Date(-8.64e15).getFullYear(), new Date(2 ** 53, 2 ** 31).getTime()]
