<?php

declare(strict_types=1);

namespace MediaToken;

use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\MiddlewareInterface;
use Psr\Http\Server\RequestHandlerInterface;

/**
 * For PSR-15 applications: lets through what has a valid token, which is then the request's attribute ValidToken::class.
 *
 * Place it before what starts playback, and before nothing else: each request that it lets through uses a token up.
 */
final readonly class Middleware implements MiddlewareInterface
{
    /** Methods that may start playback, byte for byte. No token is used up for another. */
    private const PLAYS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

    /**
     * @param ResponseFactoryInterface $responses makes the answers that let no one play (PSR-17)
     * @param \Closure(ServerRequestInterface): (string|Document|Channel|Configured) $resource what a request is about to play
     * @param string $header where the player sends its token
     */
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
        if (!in_array($request->getMethod(), self::PLAYS, true)) {
            $answer = ['error' => 'method-not-allowed', 'action' => 'report'];
            return $this->answer(405, $answer)->withHeader('Allow', implode(', ', self::PLAYS));
        }
        $tokens = $request->getHeader($this->header);
        if (implode('', $tokens) === '') {
            $answer = ['error' => 'no-token', 'action' => 'new-token'];
            return $this->answer(401, $answer)->withHeader('WWW-Authenticate', 'MediaToken');
        }
        if (count($tokens) > 1) {
            return $this->answer(403, ['error' => 'ambiguous', 'action' => 'new-token']);
        }
        try {
            $token = $this->daemon->verify(reset($tokens), $this->requestor, ($this->resource)($request));
        } catch (NotValid $problem) {
            return $this->instead($problem);
        }
        return $handler->handle($request->withAttribute(ValidToken::class, $token));
    }

    private function instead(NotValid $problem): ResponseInterface
    {
        if ($problem instanceof Refused) {
            return $this->answer(403, [
                'verdict' => $problem->verdict ?? '',
                'reason' => $problem->reason,
                'action' => $problem->action,
                'adobeCode' => $problem->adobeCode,
            ]);
        }
        $name = match (true) {
            $problem instanceof Fault => $problem->name,
            $problem instanceof NoAnswer => 'NO_ANSWER',
            default => 'FOREIGN_ANSWER',
        };
        $answer = $this->answer(503, ['fault' => $name, 'action' => $problem->action]);
        return $problem instanceof Fault && $problem->retryAfter !== null
            ? $answer->withHeader('Retry-After', (string) $problem->retryAfter) : $answer;
    }

    /** @param array<string, string> $members */
    private function answer(int $status, array $members): ResponseInterface
    {
        $body = json_encode($members, JSON_THROW_ON_ERROR);
        $answer = $this->responses->createResponse($status)
            ->withHeader('Content-Type', 'application/json')
            ->withHeader('Content-Length', (string) strlen($body))
            ->withHeader('Cache-Control', 'no-store');
        $answer->getBody()->write($body);
        return $answer;
    }
}
