import findMyWay from 'find-my-way'
import { SvcError } from '../../base/errors/svc-error.ts'
import type { Generation } from '../../contract/generation.ts'
import type { MatchedRoute } from '../../contract/http-exchange.ts'
import type { Route } from '../../contract/route.ts'
import { MAX_URL_BYTES, normalizePath } from './request-target.ts'

export interface Router<R extends Routed = Route> {
  /** Finds the route of a request, and sets `route` and `params`. HEAD is answered by the GET route. @returns `null`: there is none */
  find(request: RoutedRequest): R | null
  /**
   * Finds the route of a request, or throws.
   * @throws SvcError NOT_FOUND, METHOD_NOT_ALLOWED (details.allow)
   */
  match(request: RoutedRequest): R
}

type Method = Route['method']
type Routed = Pick<Route, 'method' | 'path' | 'unmatched'>
interface RoutedRequest {
  readonly method: string
  readonly pathname: string
  route?: MatchedRoute | null
  params: Readonly<Record<string, string | undefined>>
}
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A static path that equals every normalized path of its requests. */
const PLAIN = /^[\w.~/-]*$/

/**
 * Builds the route table once. Plain static paths are looked up in a map, the others in find-my-way's tree, which takes longer to
 * build: a large schema has hundreds of both.
 */
export function createRouter<R extends Routed>(routes: readonly R[]): Router<R> {
  // The default limit of find-my-way is 100 characters, so that longer ids would be 404. The length of the URL is limited already.
  const tree = findMyWay({ ignoreTrailingSlash: false, maxParamLength: MAX_URL_BYTES })
  const fixed = new Map<string, R>()
  const unmatched = routes.filter((route) => route.unmatched === true)
  for (const route of routes) {
    if (route.unmatched === true) continue
    if (PLAIN.test(route.path)) fixed.set(`${route.method} ${route.path}`, route)
    else tree.on(route.method, route.path, () => {}, route)
  }

  function lookUp(method: Method, ctx: RoutedRequest): R | null {
    const hit = fixed.get(`${method} ${normalizePath(ctx.pathname)}`)
    if (hit !== undefined) return hit
    const found = tree.find(method, ctx.pathname)
    if (found === null) return null
    ctx.params = found.params
    return found.store as R
  }

  function find(ctx: RoutedRequest): R | null {
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
    const route = METHODS.includes(method as Method) ? lookUp(method as Method, ctx) : null
    ctx.route = route
    return route
  }

  return {
    find,
    match(ctx) {
      const route = find(ctx)
      if (route !== null) return route
      const allow: string[] = METHODS.filter((m) => lookUp(m, ctx) !== null)
      if (allow.length === 0) {
        const below = unmatched.find(({ path }) => ctx.pathname.startsWith(path))
        if (below !== undefined) return below
        throw new SvcError('NOT_FOUND', `There is nothing at ${ctx.pathname}.`)
      }
      if (allow.includes('GET')) allow.push('HEAD')
      throw new SvcError('METHOD_NOT_ALLOWED', `${ctx.method} is not allowed here; allowed: ${allow.join(', ')}.`, {
        details: { allow },
      })
    },
  }
}

/** The routers of all generations in use, since routes may differ between schemas. */
export interface GenerationRouter {
  /** Calls {@link Router.find} of the request's generation. */
  find(request: RoutedRequest & { readonly generation: Generation }): Route | null
  /** Calls {@link Router.match} of the request's generation. */
  match(request: RoutedRequest & { readonly generation: Generation }): Route
  /** Builds the router of a generation. @throws errors of find-my-way about a path */
  mount(generation: Generation, routes: readonly Route[]): void
}

/** Creates the router of generations. Generations with the same list of routes share a router. */
export function createGenerationRouter(): GenerationRouter {
  const byRoutes = new WeakMap<readonly Route[], Router>()
  const byGeneration = new WeakMap<Generation, Router>()
  // The router of the previous request, which is nearly always the right one.
  let last: { readonly generation: Generation; readonly router: Router } | null = null

  function routerOf(generation: Generation): Router {
    if (last?.generation === generation) return last.router
    const router = byGeneration.get(generation)
    if (router === undefined) throw new Error('A generation serves whose routes were not mounted.')
    last = { generation, router }
    return router
  }

  return {
    mount(generation, routes) {
      let router = byRoutes.get(routes)
      if (router === undefined) {
        router = createRouter(routes)
        byRoutes.set(routes, router)
      }
      byGeneration.set(generation, router)
    },
    find: (ctx) => routerOf(ctx.generation).find(ctx),
    match: (ctx) => routerOf(ctx.generation).match(ctx),
  }
}
