import type { Middleware, MiddlewareRequest } from '../../core/doors/command.ts'
import type { AnyExchange, Auth, MaybePromise, Reply } from '../../core/doors/plugin.ts'
import { authorError } from './author-error.ts'
import { authorReply } from './author-reply.ts'
import { AuthorRequest } from './author-request.ts'

/**
 * Runs the author's middleware around a request, the first that was declared outermost.
 * @param identify verifies the credential as the headers are now
 * @param rest what stands behind: the route, the check of the credential, the operation
 * @throws what middleware threw
 */
export async function runMiddleware(
  chain: readonly Middleware[],
  ctx: AnyExchange,
  identify: (ctx: AnyExchange) => MaybePromise<Auth | null>,
  rest: () => MaybePromise<Reply>,
): Promise<Reply> {
  const request = new AuthorRequest(ctx)
  const run = async (index: number): Promise<Reply> => {
    const fn = chain[index]
    if (fn === undefined) return rest()
    request.auth = await identify(ctx)
    let called = false
    const next = (given: MiddlewareRequest = request): Promise<Reply> => {
      if (called) throw new TypeError('Middleware called next twice: the request would run twice.')
      called = true
      if (given !== request) throw new TypeError('next takes the request that middleware was given: next(request).')
      const answer = run(index + 1)
      // Whoever does something else before waiting for it, or fails meanwhile, must not end the process.
      answer.catch(() => {})
      return answer
    }
    return authorReply(await fn(request, next as never))
  }
  try {
    return await run(0)
  } catch (error) {
    throw authorError(error)
  }
}
