// README's block, with the token that is this program's argument.
try README1()
