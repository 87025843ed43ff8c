// ends: Fine
Array.from({ length: 500 }, (_, i) => i).sort(() => Math.random() - 0.5).length
