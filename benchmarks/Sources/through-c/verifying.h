#pragma once

// Verifies the tokens of a file, one after another; words as in main.c.
void contend_verifying(char **words);
