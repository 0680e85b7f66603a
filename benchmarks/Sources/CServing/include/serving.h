// What the servers have in common that answer what is always the same.
#pragma once

// A listening UNIX socket; ends the program if there can be none.
int serve_on(const char *path);
