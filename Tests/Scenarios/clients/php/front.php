<?php

/** What php-fpm serves: says who played. It has the interfaces of PSR-15, which each framework brings along. */

declare(strict_types=1);

namespace Psr\Http\Server {
    use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};

    interface RequestHandlerInterface
    {
        public function handle(ServerRequestInterface $request): ResponseInterface;
    }

    interface MiddlewareInterface
    {
        public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface;
    }
}

namespace {
    use GuzzleHttp\Psr7\{HttpFactory, Response, ServerRequest};
    use MediaToken\{Client, Middleware, ValidToken};
    use Psr\Http\Message\{ResponseInterface, ServerRequestInterface};
    use Psr\Http\Server\RequestHandlerInterface;

    require getenv('VENDOR') . '/autoload.php';
    require 'GuzzleHttp/Psr7/autoload.php';

    $play = new class () implements RequestHandlerInterface {
        public function handle(ServerRequestInterface $request): ResponseInterface
        {
            return new Response(200, [], $request->getAttribute(ValidToken::class)->identity . ' ' . getmypid() . "\n");
        }
    };
    $path = fn (ServerRequestInterface $request) => trim($request->getUri()->getPath(), '/');
    $middleware = new Middleware(new Client(getenv('DAEMON'), timeout: 300), new HttpFactory(), requestor: 'REF30', resource: $path);
    $answer = $middleware->process(ServerRequest::fromGlobals(), $play);
    http_response_code($answer->getStatusCode());
    foreach ($answer->getHeaders() as $name => $values) {
        header("$name: " . implode(', ', $values));
    }
    echo $answer->getBody();
}
