<?php

declare(strict_types=1);

namespace MediaToken;

use Psr\Http\Message\{ResponseFactoryInterface, ResponseInterface, ServerRequestInterface};
use Psr\Http\Server\{MiddlewareInterface, RequestHandlerInterface};

/**
 * For PSR-15 applications: lets through what has a valid token, which is then the request's attribute ValidToken::class.
 *
 * Place it before what starts playback, and before nothing else: each request that it lets through uses a token up.
 */
final readonly class Middleware implements MiddlewareInterface
{
    private const PLAYS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

    /** @param \Closure(ServerRequestInterface): (string|Document|Channel|Configured) $resource what a request is about to play */
    public function __construct(
        private Client $daemon,
        private ResponseFactoryInterface $responses,
        private string|Configured $requestor,
        private \Closure $resource,
        private string $header = 'X-Media-Token',
    ) {
    }

    public function process(ServerRequestInterface $request, RequestHandlerInterface $handler): ResponseInterface
    {
        $tokens = $request->getHeader($this->header);
        if (!in_array($request->getMethod(), self::PLAYS, true)) {
            return $this->answer(405, ['error' => 'method-not-allowed', 'action' => 'report'], 'Allow', implode(', ', self::PLAYS));
        }
        if (implode('', $tokens) === '') {
            return $this->answer(401, ['error' => 'no-token', 'action' => 'new-token'], 'WWW-Authenticate', 'MediaToken');
        }
        if (count($tokens) > 1) {
            return $this->answer(403, ['error' => 'ambiguous', 'action' => 'new-token']);
        }
        try {
            $token = $this->daemon->verify(reset($tokens), $this->requestor, ($this->resource)($request));
        } catch (Refused $no) {
            $said = ['verdict' => $no->verdict ?? '', 'reason' => $no->reason, 'action' => $no->action, 'adobeCode' => $no->adobeCode];
            return $this->answer(403, $said);
        } catch (Unavailable $no) {
            return $this->answer(503, ['fault' => $no->name, 'action' => $no->action], 'Retry-After', (string) $no->retryAfter);
        }
        return $handler->handle($request->withAttribute(ValidToken::class, $token));
    }

    /** @param array<string, string> $said */
    private function answer(int $status, array $said, string $field = '', string $value = ''): ResponseInterface
    {
        $answer = $this->responses->createResponse($status)->withHeader('Content-Type', 'application/json');
        $answer->getBody()->write(json_encode($said, JSON_THROW_ON_ERROR));
        $answer = $answer->withHeader('Cache-Control', 'no-store');
        return $value === '' ? $answer : $answer->withHeader($field, $value);
    }
}
