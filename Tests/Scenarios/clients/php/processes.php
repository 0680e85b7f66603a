<?php

/** Runs where the kit is installed: processes.php SOCKET < tokens. Forks, signals, long waits, and many descriptors. */

declare(strict_types=1);

use MediaToken\Client;
use MediaToken\Fault;
use MediaToken\ForeignAnswer;
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
says('a client goes on in the parent and in four children', $isGood && $statuses === [0, 0, 0, 0]);
says('and in the parent after their end', eachPlaysOnce($daemon, array_splice($tokens, 0, 1)));

// A child has no connection of its own here, and its parent goes on with the one that there is.
$server = stream_socket_server('unix://' . getcwd() . '/counting.sock');
$counted = new Client(getcwd() . '/counting.sock', timeout: 300);
$ready = '{"status":"ready"}';
$answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " . strlen($ready) . "\r\n\r\n$ready";
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
$counted->checkReady();
$child = pcntl_fork();
if ($child === 0) {
    try {
        $counted->checkReady();
        exit(1);
    } catch (NoAnswer) {
        exit(0);
    }
}
pcntl_waitpid($child, $status);
$counted->checkReady();
says('a child does not use the connection of its parent, and does not end it', $status === 0);

// As if it had been idle for longer.
$pool = (fn () => $this->pool)->call($counted);
[$connection] = (fn () => $this->idle)->call($pool);
(fn () => $this->idleSince -= 30)->call($connection);
says('a connection that was idle for 30 s is not used again', throws(NoAnswer::class, 'refused', $counted->checkReady(...)));
pcntl_waitpid($serving, $status);
says('and is closed', $status === 0);

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
says('and take no answer away', $isGood);

// More microseconds than an integer holds.
$server = stream_socket_server('unix://' . getcwd() . '/slow.sock');
$serving = pcntl_fork();
if ($serving === 0) {
    $connection = stream_socket_accept($server, 60);
    fread($connection, 8192);
    usleep(100_000);
    fwrite($connection, $answer);
    fread($connection, 8192);
    exit(0);
}
fclose($server);
$patient = new Client(getcwd() . '/slow.sock', timeout: 9.3e12);
$patient->checkReady();
$patient->close();
pcntl_waitpid($serving, $status);
says('it waits for as long as it is told', $status === 0);

// One read of the kit has all of the first answer, and not a byte of the second.
$server = stream_socket_server('unix://' . getcwd() . '/twice.sock');
$serving = pcntl_fork();
if ($serving === 0) {
    $connection = stream_socket_accept($server, 60);
    fread($connection, 8192);
    $head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 16291\r\nX-Padding: ";
    $answer = str_pad($head, 16_384 - 16_291 - 4, 'x') . "\r\n\r\n" . str_pad($ready, 16_291);
    fwrite($connection, $answer . substr($answer, 0, 8_000));
    fread($connection, 8192);
    exit(strlen($answer) === 16_384 ? 0 : 1);
}
fclose($server);
$twice = new Client(getcwd() . '/twice.sock', timeout: 300);
$isForeign = throws(ForeignAnswer::class, 'more than one', $twice->checkReady(...));
pcntl_waitpid($serving, $status);
says('bytes after an answer make it foreign, wherever a read ends', $isForeign && $status === 0);

// select() has no room for a descriptor from 1,024 on.
$files = [];
for ($number = 0; $number < 1_100; $number++) {
    $files[] = fopen('/dev/null', 'r');
}
$many = new Client($address, timeout: 300);
says('it goes on with 1,100 open files', count($files) === 1_100 && end($files) !== false
    && eachPlaysOnce($many, array_splice($tokens, 0, 5)));
