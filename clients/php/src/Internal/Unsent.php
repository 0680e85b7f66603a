<?php

declare(strict_types=1);

namespace MediaToken\Internal;

/**
 * The connection was over before a byte of the question was sent.
 *
 * @internal
 */
final class Unsent extends \Exception
{
}
