<?php

declare(strict_types=1);

namespace MediaToken\Internal;

/**
 * A decision that is not one JSON object, so that what is sent around it could be read in another way.
 *
 * @internal
 */
final class BadDecision extends \Exception
{
}
