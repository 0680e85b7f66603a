<?php

/** Runs where the kit is installed: processes.php SOCKET < tokens. Forks, signals, and many descriptors. */

declare(strict_types=1);

use MediaToken\Client;
use MediaToken\Fault;
use MediaToken\NoAnswer;
use MediaToken\Refused;
use MediaToken\ValidToken;

require 'vendor/autoload.php';
require __DIR__ . '/says.php';

$address = $argv[1];
$tokens = explode("\n", trim(stream_get_contents(STDIN)));
$daemon = new Client($address, timeout: 300);

/** Asks again where the daemon is undecided and nothing is spent, as it is after a wait for a processor. */
function verified(Client $daemon, string $token): ValidToken
{
    for ($turn = 0;; $turn++) {
        try {
            return $daemon->verify($token, 'REF30', 'TNT');
        } catch (Fault $fault) {
            if ($fault->action !== 'retry' || $turn === 20) {
                throw $fault;
            }
        }
    }
}

/** Whether each of these is valid the first time, and refused the second. */
function eachPlaysOnce(Client $daemon, array $tokens): bool
{
    foreach ($tokens as $token) {
        if (verified($daemon, $token)->use !== 'first') {
            return false;
        }
        try {
            verified($daemon, $token);
            return false;
        } catch (Refused) {
        }
    }
    return true;
}

// Parent and children ask at once, over connections of their own.
$daemon->checkReady();
$children = [];
for ($number = 0; $number < 4; $number++) {
    $mine = array_splice($tokens, 0, 50);
    $child = pcntl_fork();
    if ($child === 0) {
        try {
            exit(eachPlaysOnce($daemon, $mine) ? 0 : 1);
        } catch (Throwable $error) {
            fwrite(STDERR, "$error\n");
            exit(2);
        }
    }
    $children[] = $child;
}
$isGood = eachPlaysOnce($daemon, array_splice($tokens, 0, 100));
$statuses = [];
foreach ($children as $child) {
    pcntl_waitpid($child, $status);
    $statuses[] = $status;
}
says('a client goes on in the parent and in four children, and in the parent after their end', $isGood
    && $statuses === [0, 0, 0, 0] && eachPlaysOnce($daemon, array_splice($tokens, 0, 1)));

// A child has no connection of its own here, and its parent goes on with the one that there is.
$server = stream_socket_server('unix://' . getcwd() . '/counting.sock');
$counted = new Client(getcwd() . '/counting.sock', timeout: 300);
$error = '{"error":"bad-parameter","detail":"x"}';
$answer = "HTTP/1.1 400 X\r\nContent-Type: application/json\r\nContent-Length: " . strlen($error) . "\r\n\r\n$error";
$serving = pcntl_fork();
if ($serving === 0) {
    // One connection, and no other.
    $connection = stream_socket_accept($server, 60);
    fclose($server);
    while (($data = fread($connection, 8192)) !== '' && $data !== false) {
        fwrite($connection, $answer);
    }
    exit(0);
}
fclose($server);
$ask = static fn () => $counted->verify('x', 'REF30', 'TNT');
$isAnswered = throws(Fault::class, 'bad-parameter', $ask);
$child = pcntl_fork();
if ($child === 0) {
    exit(throws(NoAnswer::class, 'cannot connect', $ask) ? 0 : 1);
}
pcntl_waitpid($child, $status);
$isAnswered = $isAnswered && throws(Fault::class, 'bad-parameter', $ask);
says('a child does not use the connection of its parent, and does not end it', $isAnswered && $status === 0);
$counted->close();
pcntl_waitpid($serving, $status);
says('a client that is closed has no connection', $status === 0);

// Signals do not move the deadline.
$deaf = stream_socket_server('unix://' . getcwd() . '/deaf.sock');
$signals = 0;
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, static function () use (&$signals) {
    $signals++;
});
$parent = getmypid();
$signaller = pcntl_fork();
if ($signaller === 0) {
    // Until it is killed, or for a minute.
    for ($number = 0; $number < 3_000 && posix_kill($parent, SIGUSR1); $number++) {
        usleep(20_000);
    }
    exit(0);
}
$unheard = new Client(getcwd() . '/deaf.sock', timeout: 0.5);
do {
    // Again, if the other process had no processor meanwhile.
    [$before, $start] = [$signals, hrtime(true)];
    $isLate = throws(NoAnswer::class, 'in time', $unheard->checkReady(...));
    $seconds = (hrtime(true) - $start) / 1e9;
} while ($signals < $before + 2);
$isGood = eachPlaysOnce($daemon, array_splice($tokens, 0, 50));
posix_kill($signaller, SIGKILL);
pcntl_waitpid($signaller, $status);
says('signals do not move the deadline', $isLate && $seconds >= 0.5 && $seconds < 50);
says('signals take no answer away', $isGood);

// A program that waits by select() has no room for a descriptor from 1,024 on.
$files = [];
for ($number = 0; $number < 1_100; $number++) {
    $files[] = fopen('/dev/null', 'r');
}
$many = new Client($address, timeout: 300);
says('it goes on with 1,100 open files', count($files) === 1_100 && end($files) !== false
    && eachPlaysOnce($many, array_splice($tokens, 0, 5)));
