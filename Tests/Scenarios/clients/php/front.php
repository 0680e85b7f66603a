<?php

/** What PHP's server serves: says who played. */

declare(strict_types=1);

use GuzzleHttp\Psr7\HttpFactory;
use GuzzleHttp\Psr7\Response;
use GuzzleHttp\Psr7\ServerRequest;
use MediaToken\Client;
use MediaToken\Middleware;
use MediaToken\ValidToken;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;

require getenv('VENDOR') . '/autoload.php';
require 'GuzzleHttp/Psr7/autoload.php';
require __DIR__ . '/psr15.php';

$play = new class () implements RequestHandlerInterface {
    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        $token = $request->getAttribute(ValidToken::class);
        return new Response(200, ['Content-Type' => 'text/plain'], "{$token->identity} " . getmypid() . "\n");
    }
};
$middleware = new Middleware(
    new Client(getenv('DAEMON'), timeout: 300),
    new HttpFactory(),
    requestor: 'REF30',
    resource: fn (ServerRequestInterface $request) => trim($request->getUri()->getPath(), '/'),
);
$answer = $middleware->process(ServerRequest::fromGlobals(), $play);
http_response_code($answer->getStatusCode());
foreach ($answer->getHeaders() as $name => $values) {
    header("$name: " . implode(', ', $values));
}
echo $answer->getBody();
