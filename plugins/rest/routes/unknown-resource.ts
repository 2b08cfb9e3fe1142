import { mayCall, nearest } from '../../../core/doors/front.ts'
import { type Engine, type HttpExchange, type Route, SvcError } from '../../../core/doors/plugin.ts'
import type { RestRoute } from './rest-route.ts'

/** Maximum number of similar paths that are skipped because the caller has no access. */
const MOST_HIDDEN = 5

/**
 * Creates the route for unknown REST paths. Its error suggests the most similar path to which the caller has access.
 */
export function unknownResource(
  guards: Pick<Engine, 'authorize'>,
  { path: base, require_auth: wantsAuth }: { readonly path: string; readonly require_auth: boolean },
  routes: readonly RestRoute[],
): Route {
  const paths = new Set(routes.map(({ path }) => path).filter((path) => !path.includes('{')))

  /** @throws errors of guards */
  async function isVisible(ctx: HttpExchange, path: string): Promise<boolean> {
    for (const route of routes) if (route.path === path && (await mayCall(guards, ctx, route.operation))) return true
    return false
  }

  async function nearestVisible(ctx: HttpExchange, asked: string): Promise<string | null> {
    const [first = ''] = /^\/[^/]*/.exec(asked) ?? []
    const candidates = new Set(paths)
    for (let hidden = 0; hidden < MOST_HIDDEN; hidden++) {
      const guess = nearest(asked, candidates) ?? (paths.has(first) ? null : nearest(first, candidates))
      if (guess === null || (await isVisible(ctx, guess))) return guess
      candidates.delete(guess)
    }
    return null
  }

  return {
    method: 'GET',
    path: `${base}/`,
    unmatched: true,
    fallback: true,
    async handler(ctx) {
      const asked = ctx.pathname.slice(base.length)
      const guess = wantsAuth && ctx.auth === null ? null : await nearestVisible(ctx, asked)
      const hint = guess === null || guess === asked ? '' : ` Did you mean "${base}${guess}"?`
      throw new SvcError('NOT_FOUND', `There is nothing at ${ctx.pathname}.${hint}`)
    },
  }
}
