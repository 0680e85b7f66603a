<?php

/** Says whether a token may play: php example.php SOCKET REQUESTOR RESOURCE < token */

require 'vendor/autoload.php';

[, $address, $requestor, $resource] = $argv;
$daemon = new MediaToken\Client($address);
try {
    $token = $daemon->verify(stream_get_contents(STDIN), requestor: $requestor, resource: $resource);
} catch (MediaToken\NotValid $problem) {
    fwrite(STDERR, "do not play: {$problem->getMessage()}; then {$problem->action}\n");
    exit(1);
}
echo "play {$token->resourceID} until {$token->expiresAt->format('H:i:s')}\n";
