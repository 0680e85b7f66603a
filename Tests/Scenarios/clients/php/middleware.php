<?php

/** Runs where the kit is installed, with the extension psr: middleware.php SOCKET < tokens. What no web server passes on. */

declare(strict_types=1);

use MediaToken\Client;
use MediaToken\Middleware;
use MediaToken\ValidToken;
use Nyholm\Psr7\Factory\Psr17Factory;
use Nyholm\Psr7\Response;
use Nyholm\Psr7\ServerRequest;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;

require 'vendor/autoload.php';
require 'Nyholm/Psr7/autoload.php';
require __DIR__ . '/says.php';

$tokens = explode("\n", trim(stream_get_contents(STDIN)));
$handler = new class () implements RequestHandlerInterface {
    public int $played = 0;

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        $this->played++;
        return new Response(200, ['X-Identity' => $request->getAttribute(ValidToken::class)->identity]);
    }
};
$asked = 0;
$resource = static function () use (&$asked): string {
    $asked++;
    return 'TNT';
};
$middleware = new Middleware(new Client($argv[1], timeout: 300), new Psr17Factory(), 'REF30', $resource, 'X-Play');
$answers = static fn (string $method, array $values): ResponseInterface
    => $middleware->process(new ServerRequest($method, '/', ['X-Play' => $values]), $handler);

foreach (['head', 'Options', 'TRACE', 'CONNECT', 'PROPFIND', 'QUERY', 'get', 'GETX'] as $method) {
    $refused = $answers($method, array_slice($tokens, 0, 1));
    says("$method is not asked", $refused->getStatusCode() === 405
        && $refused->getHeaderLine('Allow') === 'GET, POST, PUT, PATCH, DELETE');
}
$two = $answers('POST', array_slice($tokens, 0, 2));
says('two headers are ambiguous', $two->getStatusCode() === 403
    && (string) $two->getBody() === '{"error":"ambiguous","action":"new-token"}');
says('two empty headers are no token', $answers('POST', ['', ''])->getStatusCode() === 401);
says('no refused request asked for the resource, or played', $asked === 0 && $handler->played === 0);
$good = $answers('POST', [$tokens[0]]);
says('a good token plays', $good->getStatusCode() === 200 && strlen($good->getHeaderLine('X-Identity')) === 64
    && $handler->played === 1);
says('a good token plays once', $answers('POST', [$tokens[0]])->getStatusCode() === 403 && $handler->played === 1);
$without = new Middleware(new Client($argv[1]), new Psr17Factory(), 'REF30', static fn () => null);
$request = new ServerRequest('GET', '/', ['X-Media-Token' => $tokens[1]]);
$isError = throws(TypeError::class, 'resource', static fn () => $without->process($request, $handler));
says('null in place of a resource is an error, and plays nothing', $isError && $handler->played === 1);
