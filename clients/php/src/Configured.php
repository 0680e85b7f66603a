<?php

declare(strict_types=1);

namespace MediaToken;

/** In place of a requestor or a resource: the one of the daemon's configuration. */
enum Configured
{
    case ByDaemon;
}
