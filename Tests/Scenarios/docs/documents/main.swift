// README's block, with the token that is this program's argument.
let gate = try Gate()
print("answers \(await gate.status(for: received))")
