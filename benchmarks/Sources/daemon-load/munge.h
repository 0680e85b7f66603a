// munged, asked by its own remunge.
#pragma once

// Handles `count` credentials; `command` is remunge with all its words but their number.
void remunge(long count, void *command);
